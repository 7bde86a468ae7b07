/// What lies under a layer's drawing, and so whether its picture can be translucent.
public enum Background: Hashable, Sendable {
    /// Nothing: the context is clear, and the picture may be translucent.
    case clear
    /// A color, with which the context is filled before the draw: no pixel is translucent. A translucent
    /// color lies over white.
    case opaque(Color = .white)
    /// What the draw covers, which is everything: no pixel is translucent, and filling the context would be
    /// wasted. Pixels that the draw leaves out are clear, or black.
    case leftToDraw

    /// True if it promises that no pixel of the picture is translucent, so that the picture can be shown
    /// without blending.
    public var isOpaque: Bool { if case .clear = self { false } else { true } }
}

extension Renderer {
    /// Makes a layer's context, and fills it with the background.
    @inline(__always)
    func makeContext(_ description: ContextDescription, _ background: Background) throws -> Context {
        let context = try makeContext(description)
        fill(context, with: background)
        return context
    }

    @inline(__always)
    func fill(_ context: Context, with background: Background) {
        guard case .opaque(let color) = background else { return }
        if !(color.alpha >= 1) { fill(context, with: .white) }
        fill(context, with: color)
    }
}
