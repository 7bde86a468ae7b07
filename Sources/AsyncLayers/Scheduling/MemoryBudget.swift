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

    /// Where a drawing is in the waiting list, and what it is ordered by.
    struct Entry {
        fileprivate var index: Int?
        var arrival: UInt64?
        fileprivate var rank: UInt64 = 0
    }

    /// A heap: each drawing's rank is at least that of the one at half its index.
    @exclusivity(unchecked) private var waiting: [Drawing] = []
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
        if waiting.isEmpty, fits(drawing.byteCount) { return start(drawing) }
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
        while let next = waiting.first, fits(next.byteCount) {
            remove(next)
            start(next)
        }
    }

    func fits(_ bytes: Int) -> Bool { bytes <= byteLimit - bytesInUse }

    private func start(_ drawing: Drawing) {
        charge(bytes: drawing.byteCount)
        drawing.submit()
    }

    // MARK: The waiting list. O(log n) each.

    private func insert(_ drawing: Drawing) {
        let stepsDown = UInt64(QoSTier.userInteractive.rawValue - drawing.tier.rawValue)
        drawing.waitingListEntry.rank = (drawing.waitingListEntry.arrival ?? 0) + stepsDown * Self.advance
        waiting.append(drawing)
        siftUp(waiting.count - 1)
    }

    private func remove(_ drawing: Drawing) {
        guard let index = drawing.waitingListEntry.index.take() else { return }
        let last = waiting.removeLast()
        guard last !== drawing else { return }
        waiting[index] = last
        siftUp(siftDown(index))
    }

    private func rank(_ index: Int) -> UInt64 { waiting[index].waitingListEntry.rank }

    private func siftUp(_ start: Int) {
        var index = start
        while index > 0, rank(index) < rank((index - 1) / 2) {
            waiting.swapAt(index, (index - 1) / 2)
            waiting[index].waitingListEntry.index = index
            index = (index - 1) / 2
        }
        waiting[index].waitingListEntry.index = index
    }

    private func siftDown(_ start: Int) -> Int {
        var index = start
        while 2 * index + 1 < waiting.count {
            var child = 2 * index + 1
            if child + 1 < waiting.count, rank(child + 1) < rank(child) { child += 1 }
            guard rank(child) < rank(index) else { break }
            waiting.swapAt(index, child)
            waiting[index].waitingListEntry.index = index
            index = child
        }
        return index
    }
}
