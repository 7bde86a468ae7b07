import Sentinels

/// One pass's drawing, from a new context to a finished picture, on whatever thread runs it.
struct Drawing<R: Renderer>: Sendable {
    enum Result: Sendable {
        case finished(Parcel<R.Contents>)
        case stopped(DisplayStage)
        case failed(any Error)
    }

    let renderer: R
    let description: ContextDescription
    let background: Color?
    let scope: DrawScope

    /// Draws, stopping before and after the draw closure if the pass is stale by then. The third look, before
    /// the commit, is the main actor's.
    func run(_ draw: DisplayTask<R>.Draw) -> Result {
        if scope.isCancelled { return .stopped(.waiting) }
        do {
            let context = try renderer.makeContext(description)
            renderer.fillBackground(of: context, isOpaque: description.isOpaque, color: background)
            try draw(context, scope)
            if scope.isCancelled { return .stopped(.drawing) }
            return .finished(Parcel(try renderer.makeContents(from: context)))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }
}
