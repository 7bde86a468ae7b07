import Foundation

/// The Mandelbrot set in smooth colours: the world is the square of 3 around −0.75.
public struct Mandelbrot: TilePicture {
    private static let worldExtent = 3.0
    private static let left = -2.25
    private static let top = -1.5
    private static let inside: UInt32 = 0x0B1020

    /// A picture that needs nothing.
    public init() {}

    /// Draws a row; a pixel takes up to a few hundred steps, the more the deeper the zoom.
    public func draw(row: Int, of tile: TileAddress, into pixels: UnsafeMutableBufferPointer<UInt32>) {
        let pixelsOfWorld = Double(TileAddress.extent) * Double(1 << tile.z)
        let step = Self.worldExtent / pixelsOfWorld
        let y = Self.top + (Double(tile.y * TileAddress.extent + row) + 0.5) * step
        let limit = 160 + 16 * tile.z
        for column in pixels.indices {
            let x = Self.left + (Double(tile.x * TileAddress.extent + column) + 0.5) * step
            pixels[column] = Self.color(x, y, limit)
        }
    }

    private static func color(_ x: Double, _ y: Double, _ limit: Int) -> UInt32 {
        guard !isInMainBody(x, y) else { return inside }
        var (re, im, re2, im2) = (0.0, 0.0, 0.0, 0.0)
        for count in 0..<limit {
            im = 2 * re * im + y
            re = re2 - im2 + x
            (re2, im2) = (re * re, im * im)
            if re2 + im2 > 256 {
                // Counts go in steps; how far the last one went tells what lies between two of them.
                let smooth = Double(count) + 1 - log2(log2(re2 + im2) / 2)
                return shade(smooth)
            }
        }
        return inside
    }

    /// The cardioid and the disc left of it, most of the set, which would take all steps.
    private static func isInMainBody(_ x: Double, _ y: Double) -> Bool {
        let (dx, y2) = (x - 0.25, y * y)
        let q = dx * dx + y2
        return q * (q + dx) <= 0.25 * y2 || (x + 1) * (x + 1) + y2 <= 0.0625
    }

    /// Three waves, a third of a turn apart, so that neighbouring counts have neighbouring colours.
    private static func shade(_ count: Double) -> UInt32 {
        let turn = 0.35 * max(count, 0).squareRoot()
        func wave(_ phase: Double) -> UInt32 { UInt32(127.5 - 127.5 * cos(2 * .pi * (turn + phase))) }
        return wave(0.05) << 16 | wave(0.12) << 8 | wave(0.25)
    }
}
