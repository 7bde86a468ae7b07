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

    let renderer: R
    /// One context for the whole picture, or one for each tile.
    let contexts: [ContextDescription]
    let background: Color?
    let scope: DrawScope

    /// Draws, stopping before and after the draw closure if the pass is stale by then. The third look, before
    /// the commit, is the main actor's.
    func run(_ draw: DisplayTask<R>.Draw) -> Result {
        if scope.isCancelled { return .stopped(.waiting) }
        do {
            if contexts.count == 1, let description = contexts.first {
                guard let contents = try drawContents(description, draw) else { return .stopped(.drawing) }
                return .finished(Parcel(.whole(contents)))
            }
            var tiles: [ContentsTile<R.Contents>] = []
            for description in contexts {
                guard let contents = try drawContents(description, draw) else { return .stopped(.drawing) }
                tiles.append(ContentsTile(description, contents: contents))
            }
            return .finished(Parcel(.tiles(tiles)))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }

    /// Nil if the pass has become stale.
    private func drawContents(
        _ description: ContextDescription, _ draw: DisplayTask<R>.Draw
    ) throws -> R.Contents? {
        let context = try renderer.makeContext(description)
        fillBackground(of: context, description)
        try draw(context, scope)
        return scope.isCancelled ? nil : try renderer.makeContents(from: context)
    }

    /// An opaque layer has no clear pixel: white lies under a background that is missing or lets light
    /// through. A layer that is not opaque gets no background; the draw closure paints all there is.
    private func fillBackground(of context: R.Context, _ description: ContextDescription) {
        guard description.isOpaque else { return }
        if background.map({ !($0.alpha >= 1) }) ?? true { renderer.fill(context, with: .white) }
        if let background { renderer.fill(context, with: background) }
    }
}
