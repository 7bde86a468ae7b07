import QueuePoolsLocks
import QueuePoolsSentinels

/// A layer's pipeline with its renderer, which only what draws and what counts bytes needs to know.
final class RendererPipeline<R: Renderer>: DisplayPipeline {
    nonisolated let renderer: R

    init(_ renderer: R, host: DisplayHost, cache: PictureCache?) {
        self.renderer = renderer
        super.init(host: host, cache: cache)
    }

    override nonisolated func byteCount(of description: ContextDescription) -> Int {
        renderer.byteCount(of: description)
    }
}

/// What is drawn, by a renderer whose type is not known outside.
///
/// A task's is shared by all draws of the task, so nothing in it changes, but for a ``FormerPicture``, which
/// has a lock.
@usableFromInline
class DrawWork: @unchecked Sendable {
    /// Whether it draws parts one by one.
    var isComposition: Bool { false }

    /// The plan with the work that performs it, and its bytes; see ``DrawPlan/prepared()``.
    func prepared(_ plan: DrawPlan) throws -> DrawPlan { plan }

    /// The main actor has received the draw.
    @MainActor
    func received() {}

    /// Draws a plan's picture, on the calling thread, with its layer's renderer, which must be of the type
    /// that the work was made for; stops after the draw closure if the sentinel is raised. It was checked
    /// before; the third check, before the commit, is the main actor's.
    func run(_ plan: DrawPlan, _ sentinel: Sentinel?) -> DrawResult { fatalError("abstract") }
}

/// Draws with a renderer.
@usableFromInline
class RendererWork<R: Renderer>: DrawWork, @unchecked Sendable {
    /// Draws a picture.
    func contents(
        of description: ContextDescription, _ scope: DrawScope, _ background: Background, _ renderer: R
    ) throws -> R.Contents {
        fatalError("abstract")
    }

    final override func run(_ plan: DrawPlan, _ sentinel: Sentinel?) -> DrawResult {
        let scope = DrawScope(
            size: plan.size, scale: plan.description.scale, isOpaque: plan.description.isOpaque,
            sentinel: sentinel)
        let renderer = unsafeDowncast(plan.pipeline, to: RendererPipeline<R>.self).renderer
        do {
            let contents = try contents(
                of: plan.description, scope, plan.background, renderer)
            return .finished(RendererPicture(contents, byteCount: plan.pictureByteCount))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }
}

/// Draws a layer by its task's closure. Made where a task is, which is where the renderer's type is known.
@usableFromInline
final class LayerWork<R: Renderer>: RendererWork<R>, @unchecked Sendable {
    let draw: DisplayTask<R>.Draw
    private let former: FormerPicture<R>?

    @usableFromInline
    init(_ draw: @escaping DisplayTask<R>.Draw, over former: FormerPicture<R>? = nil) {
        self.draw = draw
        self.former = former
    }

    override func contents(
        of description: ContextDescription, _ scope: DrawScope, _ background: Background, _ renderer: R
    ) throws -> R.Contents {
        var scope = scope
        let context: R.Context
        if let former, let copy = try former.makeContext(description, renderer) {
            context = copy
            renderer.fill(context, with: background)
            scope.redrawn = former.pixels
        } else {
            context = try renderer.makeContext(description, background)
        }
        try draw(context, scope)
        try scope.checkCancellation()
        return try renderer.makeContents(from: context)
    }
}

/// The picture that a draw begins with, and the pixels that it draws.
@usableFromInline
package final class FormerPicture<R: Renderer>: Sendable {
    fileprivate let pixels: PixelRect
    /// Released by the thread that has copied it: the main thread has the last reference only if the draw was
    /// stopped before, and the tile is gone.
    private let contents: Lock<R.Contents?>

    package init(_ contents: R.Contents, redrawing pixels: PixelRect) {
        self.contents = Lock(contents)
        self.pixels = pixels
    }

    fileprivate func makeContext(_ description: ContextDescription, _ renderer: R) throws -> R.Context? {
        guard let contents = contents.withLock({ $0.take() }) else { return nil }
        return try renderer.makeContext(description, copying: contents, redrawing: pixels)
    }
}
