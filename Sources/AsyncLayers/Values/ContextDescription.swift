/// The size and the kind of a context.
public struct ContextDescription: Equatable, Sendable, CustomStringConvertible {
    /// The largest width or height: 2²⁴ pixels, so that the bytes of a context of fewer than 2¹⁵ bytes a
    /// pixel fit an `Int`.
    public static let pixelExtentLimit = 1 << 24

    /// The largest width or height of a picture of which contexts hold parts: 2³² pixels.
    public static let wholeExtentLimit = 1 << 32

    /// Width in pixels, from 1 to ``pixelExtentLimit``.
    public var pixelWidth: Int
    /// Height in pixels, from 1 to ``pixelExtentLimit``.
    public var pixelHeight: Int
    /// Pixels per point; the context is scaled by it, so that drawing is in points.
    public var scale: Double
    /// True if the picture will have no translucent pixel, so that a renderer may leave alpha out.
    public var isOpaque: Bool
    /// The column of the whole picture that the context begins with, in pixels; 0 unless the context holds a
    /// part of the picture. Not negative, and with the width at most ``wholeExtentLimit``.
    public var pixelOriginX: Int
    /// The row that the context begins with; see ``pixelOriginX``.
    public var pixelOriginY: Int

    /// Describes a context; by default one that holds a whole picture.
    public init(
        pixelWidth: Int, pixelHeight: Int, scale: Double = 1, isOpaque: Bool = false, pixelOriginX: Int = 0,
        pixelOriginY: Int = 0
    ) {
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.scale = scale
        self.isOpaque = isOpaque
        self.pixelOriginX = pixelOriginX
        self.pixelOriginY = pixelOriginY
    }

    /// Such as "640 × 88 pixels at scale 2.0, opaque"; a part's origin follows the extents: "from (0, 88)".
    public var description: String {
        let origin = (pixelOriginX, pixelOriginY) == (0, 0) ? "" : " from (\(pixelOriginX), \(pixelOriginY))"
        let extents = "\(pixelWidth) × \(pixelHeight) pixels\(origin)"
        return "\(extents) at scale \(scale)\(isOpaque ? ", opaque" : "")"
    }
}

extension ContextDescription {
    /// Pixel extents are rounded up, so that a layer's edge is never cut off. A thousandth of a pixel is
    /// tolerated, so that 33.3333334 points at scale 3 are 100 pixels and not 101.
    private static let tolerance = 1.0 / 1024

    /// The context that a layer's size and scale need, decided before any memory is taken. Nil for less than
    /// one pixel wide or high: there is nothing to draw, and the layer shows nothing.
    package init?(size: Size, scale: Double, isOpaque: Bool) throws(DisplayError) {
        guard scale.isFinite, scale > 0 else { throw .invalidScale(scale) }
        guard size.width.isFinite, size.height.isFinite, size.width >= 0, size.height >= 0 else {
            throw .invalidSize(size)
        }
        let (width, height) = (size.width * scale, size.height * scale)
        guard width >= 1, height >= 1 else { return nil }
        let limit = Double(Self.pixelExtentLimit)
        guard width <= limit, height <= limit else { throw .tooManyPixels(width: width, height: height) }
        self.init(
            pixelWidth: Int((width - Self.tolerance).rounded(.up)),
            pixelHeight: Int((height - Self.tolerance).rounded(.up)), scale: scale, isOpaque: isOpaque)
    }
}
