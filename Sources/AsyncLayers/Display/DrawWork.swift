import Sentinels

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
@usableFromInline
class DrawWork: @unchecked Sendable {  // nothing in it changes
    /// Draws, on the calling thread, with a pipeline's renderer, which must be of the type that the work was
    /// made for; stops before and after the draw closure if the scope is cancelled. The third check, before
    /// the commit, is the main actor's.
    func run(_ plan: DrawPlan, with pipeline: DisplayPipeline, _ scope: DrawScope) -> DrawResult {
        fatalError("abstract")
    }
}

/// Draws with a renderer, in one context after the other.
@usableFromInline
class RendererWork<R: Renderer>: DrawWork, @unchecked Sendable {
    /// Draws what lies in one context.
    func contents(
        of description: ContextDescription, _ scope: DrawScope, background: Color?, _ fillsBackground: Bool,
        _ renderer: R
    ) throws -> R.Contents {
        fatalError("abstract")
    }

    final override func run(
        _ plan: DrawPlan, with pipeline: DisplayPipeline, _ scope: DrawScope
    ) -> DrawResult {
        if scope.isCancelled { return .stopped(.waiting) }
        let renderer = unsafeDowncast(pipeline, to: RendererPipeline<R>.self).renderer
        func contents(of context: ContextDescription) throws -> R.Contents {
            try self.contents(of: context, scope, background: plan.background, plan.fillsBackground, renderer)
        }
        do {
            guard let tiles = plan.tiles else {
                return .finished(WholePicture(try contents(of: plan.description)))
            }
            return .finished(
                TiledPicture(try tiles.map { ContentsTile($0, contents: try contents(of: $0)) }))
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

    @usableFromInline
    init(_ draw: @escaping DisplayTask<R>.Draw) { self.draw = draw }

    override func contents(
        of description: ContextDescription, _ scope: DrawScope, background: Color?, _ fillsBackground: Bool,
        _ renderer: R
    ) throws -> R.Contents {
        let context = try renderer.makeContext(description, background: background, fillsBackground)
        try draw(context, scope)
        try scope.checkCancellation()
        return try renderer.makeContents(from: context)
    }
}

/// What is drawn, and into which contexts: all that a thread needs. An object, since it is passed on often.
final class DrawPlan: @unchecked Sendable {  // nothing in it changes once it is the draw's
    let size: Size
    /// The whole picture.
    let description: ContextDescription
    /// The parts that it is drawn in, one after the other; nil for one context for the whole.
    var tiles: [ContextDescription]?
    let background: Color?
    let fillsBackground: Bool
    /// Nil only until a tree's drawing is planned.
    var work: DrawWork?
    /// The most bytes of contexts and contents that are alive at once.
    var byteCount: Int
    /// The bytes of the picture, if it is in one piece.
    let pictureByteCount: Int

    init(
        size: Size, description: ContextDescription, background: Color?, fillsBackground: Bool = true,
        work: DrawWork?, byteCount: Int
    ) {
        (self.size, self.description, self.background) = (size, description, background)
        (self.fillsBackground, self.work) = (fillsBackground, work)
        (self.byteCount, pictureByteCount) = (byteCount, byteCount)
    }

    /// Draws, on the calling thread; without a ticket, it cannot be stopped.
    func run(with pipeline: DisplayPipeline, _ ticket: Ticket?) -> DrawResult {
        let scope = DrawScope(
            size: size, scale: description.scale, isOpaque: description.isOpaque, ticket: ticket)
        return work?.run(self, with: pipeline, scope) ?? .failed(CancellationError())
    }
}
