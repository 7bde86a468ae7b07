import QueuePools
import Synchronization

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
    package var bytesInUse: Int { used.load(ordering: .relaxed) }

    /// The most that ``bytesInUse`` has been.
    package var peakBytesInUse: Int { peak.load(ordering: .relaxed) }

    // Not the heap's, which is asked in a call of another module: each pass asks twice.
    /// How many draws wait for others to end.
    @exclusivity(unchecked) public private(set) var waitingCount = 0

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

    // Counters, which order nothing else: relaxed. The main actor and threads add to `used`; the main actor
    // alone subtracts, and then starts the draws that fit. So no room is overlooked that a thread has left.
    private nonisolated let used = Atomic<Int>(0)
    private nonisolated let peak = Atomic<Int>(0)
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
        if waitingCount == 0, takes(bytes: drawing.byteCount) { return drawing.submit() }
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
        let sum = used.wrappingAdd(bytes, ordering: .relaxed).newValue
        peak.max(sum, ordering: .relaxed)
    }

    /// Counts bytes for a drawing, if there is room for them. None always fit. Called on the main actor, and
    /// on the thread of a drawing that was admitted without bytes, or with fewer.
    nonisolated func takes(bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        var current = used.load(ordering: .relaxed)
        while bytes <= byteLimit - current {
            let (isDone, original) = used.weakCompareExchange(
                expected: current, desired: current + bytes, ordering: .relaxed)
            if isDone {
                peak.max(current + bytes, ordering: .relaxed)
                return true
            }
            current = original
        }
        return false
    }

    /// A draw has ended, or takes fewer bytes.
    func release(bytes: Int) {
        used.wrappingSubtract(bytes, ordering: .relaxed)
        startWhatFits()
    }

    /// A drawing no longer waits.
    func withdraw(_ drawing: Drawing) {
        remove(drawing)
        startWhatFits()
    }

    func startWhatFits() {
        while waitingCount > 0, let next = waiting.first?.drawing, takes(bytes: next.byteCount) {
            remove(next)
            next.submit()
        }
    }

    // O(log n) each.

    private func insert(_ drawing: Drawing) {
        let stepsDown = UInt64(QoSTier.userInteractive.rawValue - drawing.tier.rawValue)
        let rank = (drawing.waitingListEntry.arrival ?? 0) + stepsDown * Self.advance
        let place = Place(drawing, rank: rank)
        drawing.waitingListEntry.place = place
        waiting.insert(place)
        waitingCount += 1
    }

    private func remove(_ drawing: Drawing) {
        guard let place = drawing.waitingListEntry.place.take() else { return }
        waiting.remove(place)
        waitingCount -= 1
    }
}
