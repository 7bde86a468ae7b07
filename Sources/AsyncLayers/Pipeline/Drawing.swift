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

    /// Draws, stopping between two steps as soon as the pass is stale.
    func run(_ draw: DisplayTask<R>.Draw) -> Result {
        if scope.isCancelled { return .stopped(.waiting) }
        do {
            let context = try renderer.makeContext(description)
            fillBackground(of: context)
            try draw(context, scope)
            if scope.isCancelled { return .stopped(.drawing) }
            let contents = try renderer.makeContents(from: context)
            // A picture that is dropped here is released here, off the main thread.
            return scope.isCancelled ? .stopped(.committing) : .finished(Parcel(contents))
        } catch is CancellationError where scope.isCancelled {
            return .stopped(.drawing)
        } catch {
            return .failed(error)
        }
    }

    /// An opaque layer has no clear pixel: white lies under a background that is missing or lets light
    /// through. A layer that is not opaque gets no background; the draw closure paints all there is.
    private func fillBackground(of context: R.Context) {
        guard description.isOpaque else { return }
        if background.map({ !($0.alpha >= 1) }) ?? true { renderer.fill(context, with: .white) }
        if let background { renderer.fill(context, with: background) }
    }
}
