import AsyncLayers
import CQueuePoolsCairo
import CairoRendering

/// A tile while it is drawn: row by row, so that it can be stopped, or continue on another thread.
///
/// Unchecked: one job at a time holds it, and hands it on when it leaves off.
final class TileDrawing: @unchecked Sendable {
    private let address: TileAddress
    private let picture: any TilePicture
    private let context: CairoContext
    private var row = 0

    init(_ address: TileAddress, of picture: any TilePicture) throws {
        self.address = address
        self.picture = picture
        context = try CairoRenderer().makeContext(
            ContextDescription(
                pixelWidth: TileAddress.extent, pixelHeight: TileAddress.extent, scale: 1, isOpaque: true))
    }

    /// Whether rows are missing.
    var isUnfinished: Bool { row < TileAddress.extent }

    func drawNextRow() {
        let surface = cairo_get_target(context.cairo)
        cairo_surface_flush(surface)
        guard let pixels = cairo_image_surface_get_data(surface) else {
            preconditionFailure("an image surface that was not finished has pixels")
        }
        let start = UnsafeMutableRawPointer(pixels + row * Int(cairo_image_surface_get_stride(surface)))
        picture.draw(
            row: row, of: address,
            into: UnsafeMutableBufferPointer(
                start: start.assumingMemoryBound(to: UInt32.self), count: TileAddress.extent))
        cairo_surface_mark_dirty(surface)
        row += 1
    }

    /// The tile as a PNG file, once all rows are there.
    func png() throws -> [UInt8] {
        let png = try CairoRenderer().makeContents(from: context).pngBytes()
        // It grew as it was written, and may hold twice its bytes. What is cached is to take what the cache
        // counts.
        return Array(unsafeUninitializedCapacity: png.count) { bytes, count in
            (_, count) = bytes.initialize(from: png)
        }
    }
}
