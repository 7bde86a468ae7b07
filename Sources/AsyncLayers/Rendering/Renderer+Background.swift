extension Renderer {
    /// An opaque layer has no clear pixel: white lies under a background that is missing or lets light
    /// through. A layer that is not opaque gets no background; the draw closure paints all there is.
    func fillBackground(of context: Context, isOpaque: Bool, color: Color?) {
        guard isOpaque else { return }
        if color.map({ !($0.alpha >= 1) }) ?? true { fill(context, with: .white) }
        if let color { fill(context, with: color) }
    }
}
