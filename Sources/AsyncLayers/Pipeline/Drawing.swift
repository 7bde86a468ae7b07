/// One pass's drawing, from a new context to a finished picture, on whatever thread runs it.
struct Drawing<R: Renderer>: Sendable {
    enum Result: Sendable {
        case finished(Parcel<Picture<R.Contents>>)
        case stopped(DisplayStage)
        case failed(any Error)

        /// The same for one more pass.
        func copy() -> Result {
            if case .finished(let parcel) = self { .finished(parcel.copy()) } else { self }
        }
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
            fillBackground(of: context)
            try draw(context, scope)
            if scope.isCancelled { return .stopped(.drawing) }
            return .finished(Parcel(.whole(try renderer.makeContents(from: context))))
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
