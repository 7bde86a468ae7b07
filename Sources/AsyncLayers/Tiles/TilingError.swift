/// Why a picture cannot be drawn in tiles. Nothing was allocated for it.
public enum TilingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Even a context of a single pixel would take more bytes than one may.
    case noPixelFits(needed: Int, limit: Int)

    /// More tiles than ``maximumTileCount`` would be needed to keep each within the limit, in bytes.
    case tooManyTiles(limit: Int)

    /// The picture's extents, in pixels, are not from 1 to ``ContextDescription/maximumPixelExtent``.
    case invalidSize(pixelWidth: Int, pixelHeight: Int)

    /// The most tiles that one picture is cut into: 4,096. Where they are not enough, the limit on bytes is
    /// wrong for the picture, or the picture is.
    public static let maximumTileCount = 4_096

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .noPixelFits(let needed, let limit):
            "a context of one pixel would take \(needed) bytes; the limit for a tile is \(limit)"
        case .tooManyTiles(let limit):
            "with at most \(limit) bytes for a tile the picture would take more than "
                + "\(Self.maximumTileCount) tiles"
        case .invalidSize(let width, let height):
            "a picture of \(width) × \(height) pixels cannot be cut into tiles: each side must be from 1 to "
                + "\(ContextDescription.maximumPixelExtent)"
        }
    }
}
