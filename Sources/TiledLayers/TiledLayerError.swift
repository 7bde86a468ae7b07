public import AsyncLayers

/// Why a ``TiledLayer`` cannot show something.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TiledLayerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Empty, not finite, more than 65,536 pixels a side, or with an edge beyond ±2³³ pixels.
    case invalidView(Rect)
    /// Not between 10⁻¹² and 10¹².
    case invalidScale(Double)
    /// The content would be wider or higher than 2³² pixels.
    case tooManyPixels(scale: Double)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .invalidView(let rect):
            """
            a view must be finite, not empty, at most 65,536 pixels wide and high, and within ±2^33 pixels; \
            it is \(rect)
            """
        case .invalidScale(let scale): "a view's scale must be between 1e-12 and 1e12; it is \(scale)"
        case .tooManyPixels(let scale):
            "at scale \(scale) the content has more than \(TileGrid.maximumExtent) pixels a side"
        }
    }
}
