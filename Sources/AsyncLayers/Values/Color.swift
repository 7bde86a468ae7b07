/// A colour in sRGB with straight (not premultiplied) alpha.
public struct Color: Hashable, Sendable {
    /// The red component, 0…1.
    public var red: Double
    /// The green component, 0…1.
    public var green: Double
    /// The blue component, 0…1.
    public var blue: Double
    /// The opacity: 0 is clear, 1 hides what is behind.
    public var alpha: Double

    /// Makes a colour from its components. Renderers clamp what lies outside 0…1 and read NaN as 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Makes a grey.
    public init(white: Double, alpha: Double = 1) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Opaque white.
    public static let white = Color(white: 1)
    /// Opaque black.
    public static let black = Color(white: 0)
    /// Fully transparent.
    public static let clear = Color(white: 0, alpha: 0)
}

extension Color: CustomStringConvertible {
    /// The components, such as "rgba(1.0, 0.5, 0.0, 1.0)".
    public var description: String { "rgba(\(red), \(green), \(blue), \(alpha))" }
}
