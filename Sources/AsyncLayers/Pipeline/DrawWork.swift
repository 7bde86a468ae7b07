/// A renderer whose type is not known outside.
class AnyRenderer: @unchecked Sendable {  // nothing in it changes
    /// The bytes that a context will take.
    func byteCount(of description: ContextDescription) -> Int { fatalError("abstract") }

    /// The bytes of a picture that is drawn in these contexts.
    final func byteCount(of contexts: [ContextDescription]) -> Int {
        contexts.reduce(0) { sum, description in
            let (next, overflow) = sum.addingReportingOverflow(byteCount(of: description))
            return overflow ? .max : next
        }
    }
}

final class KnownRenderer<R: Renderer>: AnyRenderer, @unchecked Sendable {
    let renderer: R

    init(_ renderer: R) { self.renderer = renderer }

    override func byteCount(of description: ContextDescription) -> Int {
        renderer.byteCount(of: description)
    }
}

/// What is drawn, by a renderer whose type is not known outside.
@usableFromInline
class DrawWork: @unchecked Sendable {  // nothing in it changes
    /// Draws, on whatever thread runs it, stopping before and after the draw closure if the pass is stale by
    /// then. The third look, before the commit, is the main actor's.
    ///
    /// - Parameters:
    ///   - renderer: must be of the type that the work was made for.
    ///   - latch: stops the draw; nil in a synchronous pass.
    func run(_ drawing: Drawing, with renderer: AnyRenderer, _ latch: DrawLatch?) -> DrawResult {
        fatalError("abstract")
    }
}

/// Draws with a renderer. Made where a task is, which is where the renderer's type is known.
@usableFromInline
final class RendererWork<R: Renderer>: DrawWork, @unchecked Sendable {
    /// What is drawn into a context.
    @usableFromInline
    enum Content: Sendable {
        /// A layer, by its task's closure.
        case layer(DisplayTask<R>.Draw)
        /// A layer with all below it, composed into the contents of a context.
        case tree(@Sendable (ContextDescription, DrawScope) throws -> R.Contents)
    }

    private let content: Content

    @usableFromInline
    init(_ content: Content) { self.content = content }

    /// The closure that draws a layer.
    var draw: DisplayTask<R>.Draw? {
        if case .layer(let draw) = content { draw } else { nil }
    }

    override func run(_ drawing: Drawing, with renderer: AnyRenderer, _ latch: DrawLatch?) -> DrawResult {
        let scope = drawing.scope(latch)
        if scope.isCancelled { return .stopped(.waiting) }
        let renderer = unsafeDowncast(renderer, to: KnownRenderer<R>.self).renderer
        func contents(of context: ContextDescription) throws -> R.Contents {
            try self.contents(of: context, scope, background: drawing.background, renderer)
        }
        do {
            guard let tiles = drawing.tiles else {
                return .finished(Parcel(WholePicture(try contents(of: drawing.description))))
            }
            return .finished(
                Parcel(TiledPicture(try tiles.map { ContentsTile($0, contents: try contents(of: $0)) })))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }

    private func contents(
        of description: ContextDescription, _ scope: DrawScope, background: Color?, _ renderer: R
    ) throws -> R.Contents {
        switch content {
        case .layer(let draw):
            let context = try renderer.makeContext(description)
            renderer.fillBackground(of: context, isOpaque: description.isOpaque, color: background)
            try draw(context, scope)
            try scope.checkCancellation()
            return try renderer.makeContents(from: context)
        case .tree(let compose):
            return try compose(description, scope)
        }
    }
}
