import CairoRendering
import Synchronization
import TileServing

/// A picture that is cheap, differs from tile to tile, notes its rows, and can be held at one.
final class TestPicture: TilePicture {
    struct Row: Hashable {
        let tile: TileAddress
        let row: Int
    }

    private let notes = Mutex<[Row]>([])
    private let held: Mutex<(row: Int, gate: Gate)?>

    /// - Parameter row: where to wait for the gate, in every tile.
    init(heldAt row: Int? = nil, by gate: Gate? = nil) {
        if let row, let gate { held = Mutex((row, gate)) } else { held = Mutex(nil) }
    }

    var rows: [Row] { notes.withLock { $0 } }

    func draw(row: Int, of tile: TileAddress, into pixels: UnsafeMutableBufferPointer<UInt32>) {
        notes.withLock { $0.append(Row(tile: tile, row: row)) }
        let held = held.withLock { $0 }
        if let held, held.row == row { held.gate.pass() }
        for column in pixels.indices { pixels[column] = Self.color(tile, row, column) }
    }

    private static func color(_ tile: TileAddress, _ row: Int, _ column: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: tile.z << 20 ^ tile.x << 16 ^ tile.y << 12 ^ row << 8 ^ column) & 0xFF_FFFF
    }
}

extension TilePicture {
    /// All pixels of a tile, drawn here and now.
    func pixels(of tile: TileAddress) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: TileAddress.extent * TileAddress.extent)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<TileAddress.extent {
                let start = row * TileAddress.extent
                draw(row: row, of: tile, into: .init(rebasing: pixels[start..<start + TileAddress.extent]))
            }
        }
        return pixels
    }
}

extension CairoImage {
    /// A part of the picture, 0xRRGGBB.
    func pixels(x: Range<Int>, y: Range<Int>) -> [UInt32] {
        y.flatMap { y in x.map { self[x: $0, y: y] & 0xFF_FFFF } }
    }

    /// The whole picture, 0xRRGGBB.
    var allPixels: [UInt32] { pixels(x: 0..<pixelWidth, y: 0..<pixelHeight) }
}
