import QueuePools

/// A limit on the bytes of all contexts that are being drawn into at the same time.
///
/// A draw that does not fit waits until others have ended: higher tiers first, within a tier in the order of
/// arrival, so that small ones do not overtake a big one forever; and a lower tier waits for a bounded number
/// of later draws of higher tiers, so none starves. A draw that can never fit fails. A synchronous draw
/// cannot wait; it is counted, and let through.
///
/// Finished pictures stop counting when the main actor has received them.
@MainActor
public final class MemoryBudget {
    /// The default of all hosts: 1 GiB.
    public nonisolated static let shared = MemoryBudget(byteLimit: 1 << 30)

    /// The most bytes in use at a time. Below zero counts as zero: nothing is drawn. At most 2⁵⁶, so that no
    /// sum overflows.
    public nonisolated let byteLimit: Int

    /// The bytes of the contexts that are being drawn into.
    @exclusivity(unchecked) public private(set) var bytesInUse = 0

    /// The most that ``bytesInUse`` has been.
    @exclusivity(unchecked) public private(set) var peakBytesInUse = 0

    /// How many draws wait for others to end.
    public var waitingCount: Int { waiting.count }

    /// What orders a drawing in the waiting list, and its place there while it waits.
    struct Entry {
        var arrival: UInt64?
        fileprivate var place: Place?
    }

    /// One drawing in the waiting list.
    fileprivate final class Place: HeapElement {
        let drawing: Drawing
        let rank: UInt64
        var heapIndex = 0

        init(_ drawing: Drawing, rank: UInt64) {
            self.drawing = drawing
            self.rank = rank
        }

        func isBefore(_ other: Place) -> Bool { rank < other.rank }
    }

    @exclusivity(unchecked) private var waiting = IndexedHeap<Place>()
    private var arrivals: UInt64 = 0

    /// How many later arrivals of a tier go before a drawing of the next lower tier.
    private static let advance: UInt64 = 64

    private nonisolated static let maximum = 1 << 56

    /// Makes a budget.
    public nonisolated init(byteLimit: Int) {
        self.byteLimit = min(max(0, byteLimit), Self.maximum)
    }

    /// Submits a drawing now, or when there is room for it. Its bytes must not exceed the limit.
    func admit(_ drawing: Drawing) {
        if drawing.waitingListEntry.arrival == nil {
            drawing.waitingListEntry.arrival = arrivals
            arrivals += 1
        }
        if waiting.count == 0, fits(drawing.byteCount) { return start(drawing) }
        insert(drawing)
        startWhatFits()
    }

    /// A drawing has changed its tier: it keeps the order of its arrival.
    func moveToTier(_ drawing: Drawing) {
        remove(drawing)
        insert(drawing)
        startWhatFits()
    }

    /// Counts a draw that cannot wait.
    func charge(bytes: Int) {
        bytesInUse += bytes
        peakBytesInUse = max(peakBytesInUse, bytesInUse)
    }

    /// A draw has ended.
    func release(bytes: Int) {
        bytesInUse -= bytes
        startWhatFits()
    }

    /// A drawing that was admitted takes more bytes, which fit, or fewer.
    func change(bytes: Int) {
        if bytes > 0 { charge(bytes: bytes) } else { release(bytes: -bytes) }
    }

    /// A drawing no longer waits.
    func withdraw(_ drawing: Drawing) {
        remove(drawing)
        startWhatFits()
    }

    func startWhatFits() {
        while let next = waiting.first?.drawing, fits(next.byteCount) {
            remove(next)
            start(next)
        }
    }

    func fits(_ bytes: Int) -> Bool { bytes <= byteLimit - bytesInUse }

    private func start(_ drawing: Drawing) {
        charge(bytes: drawing.byteCount)
        drawing.submit()
    }

    // O(log n) each.

    private func insert(_ drawing: Drawing) {
        let stepsDown = UInt64(QoSTier.userInteractive.rawValue - drawing.tier.rawValue)
        let rank = (drawing.waitingListEntry.arrival ?? 0) + stepsDown * Self.advance
        let place = Place(drawing, rank: rank)
        drawing.waitingListEntry.place = place
        waiting.insert(place)
    }

    private func remove(_ drawing: Drawing) {
        if let place = drawing.waitingListEntry.place.take() { waiting.remove(place) }
    }
}
