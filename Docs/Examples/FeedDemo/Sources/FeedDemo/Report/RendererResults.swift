/// The figures of one renderer.
struct RendererResults: Sendable {
    let renderer: FeedRenderer
    /// In the order in which the modes ran.
    let modes: [ModeResult]
}

extension [ModeResult] {
    /// The figures apart by renderer, in the order in which they ran.
    var byRenderer: [RendererResults] {
        FeedRenderer.allCases.compactMap { renderer in
            let modes = filter { $0.renderer == renderer }
            return modes.isEmpty ? nil : RendererResults(renderer: renderer, modes: modes)
        }
    }
}
