/// Which tile: at zoom `z` the world is 2^z tiles wide and high, counted from the top left.
public struct TileAddress: Hashable, Sendable {
    /// A tile's width and height in pixels.
    public static let extent = 256

    /// The deepest zoom; beyond it, neighbouring pixels would soon be the same number.
    public static let maximumZoom = 36

    /// The zoom, from 0 to ``maximumZoom``.
    public let z: Int
    /// The column, from 0 to 2^z − 1.
    public let x: Int
    /// The row, from 0 to 2^z − 1.
    public let y: Int

    /// Why an address is invalid, in words for the client.
    public enum Problem: Error, Hashable, CustomStringConvertible {
        /// A part of the path is not a number, or has another ending than `.png`.
        case malformed(String)
        /// There is no such zoom, or no such tile at this zoom.
        case outside(String)

        /// One line.
        public var description: String {
            switch self {
            case .malformed(let text), .outside(let text): text
            }
        }
    }

    /// An address that exists.
    public init(z: Int, x: Int, y: Int) throws(Problem) {
        guard (0...Self.maximumZoom).contains(z) else {
            throw .outside("zoom \(z) is not from 0 to \(Self.maximumZoom)")
        }
        let last = 1 << z - 1
        guard (0...last).contains(x), (0...last).contains(y) else {
            throw .outside("tile \(x)/\(y) is not there: at zoom \(z) both go from 0 to \(last)")
        }
        (self.z, self.x, self.y) = (z, x, y)
    }

    /// Reads the three last parts of a path: `3`, `5`, `2.png`.
    public init(z: some StringProtocol, x: some StringProtocol, file: some StringProtocol) throws(Problem) {
        guard file.hasSuffix(".png") else { throw .malformed("a tile's path is /tiles/{z}/{x}/{y}.png") }
        func number(_ text: some StringProtocol, _ name: String) throws(Problem) -> Int {
            // As `Int` writes it: "+1" and "01" would be further paths of one tile.
            guard let number = Int(text), number >= 0, "\(number)" == text else {
                throw .malformed("\(name) is to be a whole number, without leading zeros")
            }
            return number
        }
        try self.init(z: number(z, "z"), x: number(x, "x"), y: number(file.dropLast(4), "y"))
    }
}

extension TileAddress: CustomStringConvertible {
    /// As in a path: `z/x/y`.
    public var description: String { "\(z)/\(x)/\(y)" }
}
