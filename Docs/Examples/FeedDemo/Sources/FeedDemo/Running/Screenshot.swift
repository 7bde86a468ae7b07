import CPNG

/// What a window showed: opaque pixels, so that premultiplied and straight alpha are the same.
struct Screenshot: Sendable {
    let pixelWidth: Int
    let pixelHeight: Int
    /// Four bytes a pixel (red, green, blue, 255), row after row from the top.
    let rgba: [UInt8]

    /// True when the other one has the same extents and the same bytes.
    func hasSamePixels(as other: Screenshot) -> Bool {
        pixelWidth == other.pixelWidth && pixelHeight == other.pixelHeight && rgba == other.rgba
    }

    /// The picture as a PNG file.
    func png() throws -> [UInt8] {
        try PNG.encode(width: pixelWidth, height: pixelHeight, rgba: rgba)
    }
}

/// Writes pictures as PNG files: 8 bits a channel, RGBA, or RGB if every pixel is opaque.
enum PNG {
    /// Why a picture cannot be written.
    enum Failure: Error, Equatable {
        /// A side is not positive, or the bytes are not four for each pixel.
        case sizeMismatch
        /// libpng refuses the picture.
        case notWritten
    }

    /// The PNG file of a picture.
    ///
    /// - Parameters:
    ///   - width: in pixels, 1 or more.
    ///   - height: in pixels, 1 or more.
    ///   - rgba: four bytes a pixel (red, green, blue, straight alpha), row after row from the top.
    static func encode(width: Int, height: Int, rgba: [UInt8]) throws(Failure) -> [UInt8] {
        guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height),
            rgba.count.isMultiple(of: 4), rgba.count / 4 / width == height, rgba.count / 4 % width == 0
        else { throw .sizeMismatch }
        let isOpaque = stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 0xFF }
        let pixels = isOpaque ? withoutAlpha(rgba) : rgba
        let (columns, rows, hasAlpha): (UInt32, UInt32, Int32) = (
            UInt32(width), UInt32(height), isOpaque ? 0 : 1
        )
        let capacity = cpng_largest_size(columns, rows, hasAlpha)
        let file = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, size in
            size = cpng_write(pixels, columns, rows, hasAlpha, buffer.baseAddress, capacity)
        }
        guard !file.isEmpty else { throw .notWritten }
        return file
    }

    private static func withoutAlpha(_ rgba: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rgba.count / 4 * 3) { rgb, count in
            for pixel in 0..<rgba.count / 4 {
                for channel in 0..<3 { rgb[3 * pixel + channel] = rgba[4 * pixel + channel] }
            }
            count = rgba.count / 4 * 3
        }
    }
}
