/// Why a tree of layers cannot be drawn into one picture. Nothing was allocated for it.
public enum LayerTreeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Layers lie within layers more than ``maximumDepth`` levels deep.
    case tooDeep(limit: Int)

    /// The most levels of a tree, its root included: 512.
    public static let maximumDepth = 512

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .tooDeep(let limit):
            "a tree of layers that is drawn into one picture may have \(limit) levels; this one has more"
        }
    }
}
