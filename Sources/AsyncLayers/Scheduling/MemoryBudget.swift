import QueuePools

/// A limit on the bytes of all contexts that are being drawn into at the same time.
///
/// A draw that does not fit waits until others have ended: higher tiers first, within a tier in the order of
/// arrival, so that small ones do not overtake a big one forever; and a lower tier waits for a bounded number
/// of later draws of higher tiers, so none starves. A draw that can never fit fails, or is drawn in tiles
/// (``OversizePolicy``). A synchronous draw cannot wait; it is counted, and let through.
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

    /// Where a place is in the waiting list, and what it is ordered by.
    struct Entry {
        fileprivate var index: Int?
        fileprivate var arrival: UInt64?
        fileprivate var rank: UInt64 = 0
    }

    /// A heap: each place's rank is at least that of the place at half its index.
    @exclusivity(unchecked) private var waiting: [DrawPlace] = []
    private var arrivals: UInt64 = 0

    /// How many later arrivals of a tier go before a place of the next lower tier.
    private static let advance: UInt64 = 64

    private nonisolated static let maximum = 1 << 56

    /// Makes a budget.
    public nonisolated init(byteLimit: Int) {
        self.byteLimit = min(max(0, byteLimit), Self.maximum)
    }

    /// Submits a place now, or when there is room for it. Its bytes must not exceed the limit.
    func admit(_ place: DrawPlace) {
        if place.waitingListEntry.arrival == nil {
            place.waitingListEntry.arrival = arrivals
            arrivals += 1
        }
        if waiting.isEmpty, fits(place.byteCount) { return start(place) }
        insert(place)
        startWhatFits()
    }

    /// A place has changed its tier: it keeps the order of its arrival.
    func moveToTier(_ place: DrawPlace) {
        remove(place)
        insert(place)
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

    /// A place no longer waits.
    func withdraw(_ place: DrawPlace) {
        remove(place)
        startWhatFits()
    }

    func startWhatFits() {
        while let next = waiting.first, fits(next.byteCount) {
            remove(next)
            start(next)
        }
    }

    func fits(_ bytes: Int) -> Bool { bytes <= byteLimit - bytesInUse }

    private func start(_ place: DrawPlace) {
        charge(bytes: place.byteCount)
        place.submit()
    }

    // MARK: The waiting list. O(log n) each.

    private func insert(_ place: DrawPlace) {
        let stepsDown = UInt64(QoSTier.userInteractive.rawValue - place.tier.rawValue)
        place.waitingListEntry.rank = (place.waitingListEntry.arrival ?? 0) + stepsDown * Self.advance
        waiting.append(place)
        siftUp(waiting.count - 1)
    }

    private func remove(_ place: DrawPlace) {
        guard let index = place.waitingListEntry.index.take() else { return }
        let last = waiting.removeLast()
        guard last !== place else { return }
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

/// How a picture that is larger than a context may be is drawn.
public enum OversizePolicy: Hashable, Sendable {
    /// The pass fails with ``DisplayError/tooManyBytes(needed:limit:)``.
    case fail

    /// It is drawn in tiles, one after the other, each in a context within the limit; the layer shows
    /// ``AsyncLayer/tiles`` instead of ``AsyncLayer/contents``. The renderer must honour
    /// ``ContextDescription/pixelOriginX``; the draw closure is called once for each tile. In a tree that is
    /// drawn into one picture (``AsyncLayer/drawsSublayers``), a layer that lies in several tiles is drawn
    /// once if there is memory to keep it, and otherwise in parts; so is one that is too large itself.
    case tiles
}
