import AsyncLayers

/// Why a ``BitmapContext`` could not be made.
public enum BitmapError: Error, Hashable, CustomStringConvertible {
    /// A width or a height, in pixels, that is not in 1…`ContextDescription.maximumPixelExtent`.
    case invalidSize(pixelWidth: Int, pixelHeight: Int)
    /// The place of a context in a larger picture, in pixels, is negative or ends beyond
    /// `ContextDescription.maximumPixelExtent`.
    case invalidOrigin(pixelOriginX: Int, pixelOriginY: Int)
    /// A number of pixels per point that is not finite and above zero.
    case invalidScale(Double)
    /// The system did not give the memory that the pixels need.
    case outOfMemory(byteCount: Int)

    /// One line for a log, in English.
    public var description: String {
        switch self {
        case .invalidSize(let width, let height):
            "a bitmap cannot be \(width) × \(height) pixels: "
                + "each side must be from 1 to \(ContextDescription.maximumPixelExtent)"
        case .invalidOrigin(let x, let y):
            "a bitmap cannot begin at the pixel (\(x), \(y)) of a picture: the picture's pixels are counted "
                + "from 0 to \(ContextDescription.maximumPixelExtent)"
        case .invalidScale(let scale):
            "a bitmap cannot have \(scale) pixels per point: the scale must be finite and above zero"
        case .outOfMemory(let byteCount):
            "the system has no memory for the \(byteCount) bytes of a bitmap"
        }
    }
}
