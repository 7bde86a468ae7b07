import QueuePools
import QueuePoolsSentinels

/// What a thread needs to draw one picture. Made by the main actor and handed to the thread that draws it,
/// which hands it back with the ``DrawProduct``: so what its closures captured is released on the main actor.
final class DrawPlan: Sendable {
    /// The number of the pass that it was made for, among those of all layers of the host.
    let id: UInt64
    let pipeline: DisplayPipeline
    /// What equal pictures are found by; nil if there is no key.
    let key: PictureKey?
    let work: DrawWork
    /// In points.
    let size: Size
    let description: ContextDescription
    let background: Background
    /// The most bytes of contexts and contents that are alive at once while it is drawn. None for a
    /// composition that is not planned, except those of a draw whose place it takes.
    let byteCount: Int
    /// The most bytes of a single context, which that of the picture keeps to.
    let contextByteLimit: Int
    /// The bytes of the picture.
    let pictureByteCount: Int

    init(
        id: UInt64, pipeline: DisplayPipeline, key: PictureKey?, work: DrawWork, size: Size,
        description: ContextDescription, background: Background, byteCount: Int, contextByteLimit: Int,
        pictureByteCount: Int
    ) {
        self.id = id
        self.pipeline = pipeline
        self.key = key
        self.work = work
        self.size = size
        self.description = description
        self.background = background
        self.byteCount = byteCount
        self.contextByteLimit = contextByteLimit
        self.pictureByteCount = pictureByteCount
    }

    /// The same draw with the work that performs it, and the bytes that takes.
    convenience init(_ plan: DrawPlan, work: DrawWork, byteCount: Int) {
        self.init(
            id: plan.id, pipeline: plan.pipeline, key: plan.key, work: work, size: plan.size,
            description: plan.description, background: plan.background, byteCount: byteCount,
            contextByteLimit: plan.contextByteLimit, pictureByteCount: plan.pictureByteCount)
    }

    /// The plan with its bytes, before any memory is taken; called on the thread that will draw.
    func prepared() throws -> DrawPlan { try work.prepared(self) }

    /// Draws, on the calling thread, which gives the plan up. Releases pictures first, if too many wait.
    ///
    /// - Parameter sentinel: raised when the draw is stopped. Nil on the main thread, where it cannot be.
    static func draw(_ plan: consuming DrawPlan, _ sentinel: Sentinel?) -> DrawProduct {
        let host = plan.pipeline.host
        let (bytes, isOnMainThread) = (plan.pictureByteCount, sentinel == nil)
        host.releases.drawBegins(bytes: bytes, isOnMainThread: isOnMainThread)
        plan.pipeline.cache?.releases.drawBegins(bytes: bytes, isOnMainThread: isOnMainThread)
        let signposts = host.signposts
        let start = host.now
        signposts?.begin(.drawing, of: plan.id)
        let result = sentinel.isRaised ? .stopped(.waiting) : plan.work.run(plan, sentinel)
        signposts?.end(.drawing, of: plan.id)
        if case .finished = result { signposts?.begin(.committing, of: plan.id) }
        let times = DrawTimes(start: start, end: host.now)
        return DrawProduct(plan: consume plan, result: result, times: times)
    }

    /// Keeps what was drawn for parts and for the key, on the main actor.
    @MainActor
    func keep(_ result: DrawResult) {
        work.received()
        if case .finished(let picture) = result, let key { pipeline.cache?.insert(picture, for: key) }
    }
}

extension Sentinel? {
    /// Whether the draw that it stands for is not wanted any more.
    var isRaised: Bool { map { $0.value > 0 } ?? false }
}

/// A plan, and what became of it.
struct DrawProduct: Sendable {
    let plan: DrawPlan
    let result: DrawResult
    /// Nil if nothing was drawn, not even in part.
    let times: DrawTimes?
}

/// The result of a drawing.
enum DrawResult: Sendable {
    case finished(Picture)
    case stopped(DisplayStage)
    /// Nothing was drawn: there was no room for the plan's bytes.
    case lacksMemory
    case failed(any Error)
}
