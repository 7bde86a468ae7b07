import QueuePools

/// One pass's drawing, from a new context to a finished picture, on whatever thread runs it.
struct Drawing<R: Renderer>: Sendable {
    enum Result: Sendable {
        case finished(Parcel<Picture<R.Contents>>)
        case stopped(DisplayStage)
        case failed(any Error)

        /// True when there is a picture.
        var isFinished: Bool {
            if case .finished = self { true } else { false }
        }

        /// False when nothing was drawn, not even in part.
        var hasDrawn: Bool {
            switch self {
            case .stopped(.waiting): false
            case .failed(let error): !(error is PoolError)
            case .stopped, .finished: true
            }
        }

        /// The same for one more pass.
        func copy() -> Result {
            if case .finished(let parcel) = self { .finished(parcel.copy()) } else { self }
        }
    }

    /// What is drawn.
    enum Work: Sendable {
        /// A layer, by its task's closure.
        case layer(DisplayTask<R>.Draw)
        /// A layer with all below it, composed into the contents of a context.
        case tree(@Sendable (ContextDescription, DrawScope) throws -> R.Contents)
    }

    let renderer: R
    /// One context for the whole picture, or one for each tile.
    let contexts: [ContextDescription]
    let background: Color?
    let scope: DrawScope

    /// The bytes of the finished picture, all tiles together.
    var pictureByteCount: Int {
        contexts.reduce(0) { sum, context in
            let (next, overflow) = sum.addingReportingOverflow(renderer.byteCount(of: context))
            return overflow ? .max : next
        }
    }

    /// Draws, stopping before and after the draw closure if the pass is stale by then. The third look, before
    /// the commit, is the main actor's.
    func run(_ work: Work) -> Result {
        if scope.isCancelled { return .stopped(.waiting) }
        do {
            if contexts.count == 1, let description = contexts.first {
                return .finished(Parcel(.whole(try contents(of: description, work))))
            }
            let tiles = try contexts.map { ContentsTile($0, contents: try contents(of: $0, work)) }
            return .finished(Parcel(.tiles(tiles)))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }

    private func contents(of description: ContextDescription, _ work: Work) throws -> R.Contents {
        switch work {
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
