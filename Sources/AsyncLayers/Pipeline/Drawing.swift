import QueuePools

/// One drawing, from a new context to a finished picture, but for what is drawn (``DrawWork``).
struct Drawing: Sendable {
    /// One context for the whole picture, or one for each tile.
    enum Contexts: Sendable {
        case whole(ContextDescription)
        case tiles([ContextDescription])

        var descriptions: [ContextDescription] {
            switch self {
            case .whole(let description): [description]
            case .tiles(let descriptions): descriptions
            }
        }
    }

    let contexts: Contexts
    let background: Color?
    let scope: DrawScope
}

/// What a drawing came to.
enum DrawResult: Sendable {
    case finished(Parcel<Picture>)
    case stopped(DisplayStage)
    case failed(any Error)

    /// The same for one more pass.
    func copy() -> DrawResult {
        if case .finished(let parcel) = self { .finished(parcel.copy()) } else { self }
    }

    /// False when nothing was drawn, not even in part.
    var hasDrawn: Bool {
        switch self {
        case .stopped(.waiting): false
        case .failed(let error): !(error is PoolError)
        case .stopped, .finished: true
        }
    }

    /// True when there is a picture.
    var isFinished: Bool {
        if case .finished = self { true } else { false }
    }
}

/// What is drawn, by a renderer whose type is not known outside.
class DrawWork: @unchecked Sendable {  // nothing in it changes
    /// The bytes that a context will take.
    func byteCount(of description: ContextDescription) -> Int { fatalError("abstract") }

    /// Draws, on whatever thread runs it, stopping before and after the draw closure if the pass is stale by
    /// then. The third look, before the commit, is the main actor's.
    func run(_ drawing: Drawing) -> DrawResult { fatalError("abstract") }

    /// The bytes of the finished picture, all tiles together.
    final func byteCount(of contexts: Drawing.Contexts) -> Int {
        contexts.descriptions.reduce(0) { sum, description in
            let (next, overflow) = sum.addingReportingOverflow(byteCount(of: description))
            return overflow ? .max : next
        }
    }
}

/// Draws with a renderer.
final class RendererWork<R: Renderer>: DrawWork, @unchecked Sendable {
    /// What is drawn into a context.
    enum Content: Sendable {
        /// A layer, by its task's closure.
        case layer(DisplayTask<R>.Draw)
        /// A layer with all below it, composed into the contents of a context.
        case tree(@Sendable (ContextDescription, DrawScope) throws -> R.Contents)
    }

    private let renderer: R
    private let content: Content

    init(_ renderer: R, _ content: Content) {
        self.renderer = renderer
        self.content = content
    }

    override func byteCount(of description: ContextDescription) -> Int {
        renderer.byteCount(of: description)
    }

    override func run(_ drawing: Drawing) -> DrawResult {
        if drawing.scope.isCancelled { return .stopped(.waiting) }
        do {
            switch drawing.contexts {
            case .whole(let description):
                return .finished(Parcel(WholePicture(try contents(of: description, drawing))))
            case .tiles(let descriptions):
                let tiles = try descriptions.map {
                    ContentsTile($0, contents: try contents(of: $0, drawing))
                }
                return .finished(Parcel(TiledPicture(tiles)))
            }
        } catch is CancellationError where drawing.scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }

    private func contents(of description: ContextDescription, _ drawing: Drawing) throws -> R.Contents {
        switch content {
        case .layer(let draw):
            let context = try renderer.makeContext(description)
            renderer.fillBackground(
                of: context, isOpaque: description.isOpaque, color: drawing.background)
            try draw(context, drawing.scope)
            try drawing.scope.checkCancellation()
            return try renderer.makeContents(from: context)
        case .tree(let compose):
            return try compose(description, drawing.scope)
        }
    }
}
