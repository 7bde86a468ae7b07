import QueuePools

/// A limit on the bytes of all contexts that are being drawn into at the same time.
///
/// A draw that does not fit waits until others have ended: higher tiers first, and within a tier in order, so
/// that a big one is not overtaken for ever by small ones. A draw that can never fit fails, or is drawn in
/// tiles (``OversizePolicy``). A synchronous draw cannot wait; it is counted, and let through.
///
/// Pictures that are finished count no longer once the main actor has received them.
@MainActor
public final class MemoryBudget {
    /// What layers share unless they are told otherwise: 1 GiB.
    public nonisolated static let shared = MemoryBudget(byteLimit: 1 << 30)

    /// The most bytes in use at a time. Below zero counts as zero: nothing is drawn.
    public nonisolated let byteLimit: Int

    /// The bytes of the contexts that are being drawn into.
    @exclusivity(unchecked) public private(set) var bytesInUse = 0

    /// The most that ``bytesInUse`` has been.
    @exclusivity(unchecked) public private(set) var peakBytesInUse = 0

    /// How many draws wait for others to end.
    public var waitingCount: Int { waiting.count }

    private struct Waiter {
        let raster: Raster
        let bytes: Int
    }

    /// In the order in which they will be let through.
    @exclusivity(unchecked) private var waiting: [Waiter] = []

    /// Makes a budget.
    public nonisolated init(byteLimit: Int) {
        self.byteLimit = max(0, byteLimit)
    }

    /// Starts a draw now, or when there is room for it. `bytes` must not exceed the limit.
    func admit(_ raster: Raster, bytes: Int) {
        if waiting.isEmpty, bytes <= byteLimit - bytesInUse {
            charge(bytes: bytes)
            return raster.start()
        }
        insert(Waiter(raster: raster, bytes: bytes))
        startWhatFits()
    }

    /// A draw has changed its tier: if it waits, it does so behind those of that tier from now on. In one step, so
    /// that nobody whom it kept back slips through meanwhile.
    func moveToTier(_ raster: Raster) {
        guard let index = waiting.firstIndex(where: { $0.raster === raster }) else { return }
        insert(waiting.remove(at: index))
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

    /// Takes back a draw that waits; false if it does not.
    func withdraw(_ raster: Raster) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.raster === raster }) else { return false }
        waiting.remove(at: index)
        startWhatFits()
        return true
    }

    private func insert(_ waiter: Waiter) {
        let place = waiting.firstIndex { $0.raster.tier < waiter.raster.tier } ?? waiting.endIndex
        waiting.insert(waiter, at: place)
    }

    private func startWhatFits() {
        while let next = waiting.first, next.bytes <= byteLimit - bytesInUse {
            waiting.removeFirst()
            charge(bytes: next.bytes)
            next.raster.start()
        }
    }
}

/// What becomes of a picture that is larger than a context may be.
public enum OversizePolicy: Hashable, Sendable {
    /// The pass fails with ``DisplayError/tooManyBytes(needed:limit:)``.
    case fail

    /// It is drawn in tiles, one after the other, each in a context that is small enough; the layer shows
    /// ``AsyncLayer/tiles`` instead of ``AsyncLayer/contents``. The renderer must honour
    /// ``ContextDescription/pixelOriginX``; the draw closure is called once for each tile.
    case tiles
}
