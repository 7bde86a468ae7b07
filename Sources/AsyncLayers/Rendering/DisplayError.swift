/// Why a layer did not draw. Nothing was allocated for such a pass.
public enum DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bounds are not finite or are negative.
    case invalidSize(Size)

    /// The scale is not finite or is not above zero.
    case invalidScale(Double)

    /// The picture would be wider or higher than ``ContextDescription/maximumPixelExtent``, in pixels.
    case tooManyPixels(width: Double, height: Double)

    /// Drawing would take more bytes than ``AsyncLayer/maximumContextBytes`` or the host's ``MemoryBudget``
    /// allows.
    case tooManyBytes(needed: Int, limit: Int)

    /// More than 4,096 tiles would be needed to keep each within the limit, in bytes.
    case tooManyTiles(limit: Int)

    /// Layers that are drawn into one picture lie within each other more than 512 levels deep.
    case treeTooDeep(limit: Int)

    /// The host's pool was shut down, and dropped the draw while it waited.
    case poolDroppedDraw

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .invalidSize(let size):
            "a layer's size must be finite and not negative; it is \(size.width) × \(size.height) points"
        case .invalidScale(let scale):
            "a layer's scale must be finite and above zero; it is \(scale)"
        case .tooManyPixels(let width, let height):
            "a picture of \(width) × \(height) pixels is beyond the limit of "
                + "\(ContextDescription.maximumPixelExtent) pixels a side"
        case .tooManyBytes(let needed, let limit):
            "the drawing would take \(needed) bytes; the limit of its layer and its host is \(limit)"
        case .tooManyTiles(let limit):
            "with at most \(limit) bytes for a tile the picture would take more than "
                + "\(TilePlan.maximumTileCount) tiles"
        case .treeTooDeep(let limit):
            "a tree of layers that is drawn into one picture may have \(limit) levels; this one has more"
        case .poolDroppedDraw:
            "the host's pool was shut down, and dropped the draw while it waited"
        }
    }
}
