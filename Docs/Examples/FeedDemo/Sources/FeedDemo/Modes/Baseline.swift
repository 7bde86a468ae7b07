extension FeedMode {
    /// Scrolls and draws nothing: what remains is the noise of the machine and of the run loop.
    static let baseline = FeedMode(
        name: "baseline", manner: nil,
        accent: Accent(onLight: "#7c8798", onDark: "#8d99aa"), cells: nil)
}
