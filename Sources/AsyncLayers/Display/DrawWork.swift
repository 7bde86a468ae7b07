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
    /// Draws the draw's picture, on the calling thread, with its layer's renderer, which must be of the type
    /// that the work was made for; stops before and after the draw closure if the sentinel is raised. The
    /// third check, before the commit, is the main actor's.
    func run(_ draw: Draw) -> DrawResult { fatalError("abstract") }
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

    final override func run(_ draw: Draw) -> DrawResult {
        let scope = DrawScope(
            size: draw.geometry.size, scale: draw.description.scale, isOpaque: draw.description.isOpaque,
            sentinel: draw.sentinel)
        if scope.isCancelled { return .stopped(.waiting) }
        let renderer = unsafeDowncast(draw.pipeline, to: RendererPipeline<R>.self).renderer
        func contents(of context: ContextDescription) throws -> R.Contents {
            try self.contents(of: context, scope, background: draw.background, draw.fillsBackground, renderer)
        }
        do {
            if let tiles = draw.tiles {
                let contents = try tiles.map { ContentsTile($0, contents: try contents(of: $0)) }
                draw.drawnPicture = TiledPicture(contents, byteCount: draw.pictureByteCount)
            } else {
                let contents = try contents(of: draw.description)
                draw.drawnPicture = WholePicture(contents, byteCount: draw.pictureByteCount)
            }
            return .finished
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
