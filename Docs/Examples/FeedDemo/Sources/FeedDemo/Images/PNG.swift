/// Writes pictures as PNG (W3C, third edition): 8 bits a channel, RGBA, or RGB when every pixel is opaque.
enum PNG {
    /// Why a picture cannot be written.
    enum Failure: Error, Equatable {
        /// A side is not positive, or the bytes are not four for each pixel.
        case sizeMismatch
    }

    /// The PNG file of a picture.
    ///
    /// - Parameters:
    ///   - width: in pixels, 1 or more.
    ///   - height: in pixels, 1 or more.
    ///   - rgba: four bytes a pixel (red, green, blue, straight alpha), row after row from the top.
    /// - Throws: ``Failure/sizeMismatch`` when the sizes do not fit the bytes.
    static func encode(width: Int, height: Int, rgba: [UInt8]) throws -> [UInt8] {
        guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height),
            rgba.count.isMultiple(of: 4), rgba.count / 4 / width == height, rgba.count / 4 % width == 0
        else { throw Failure.sizeMismatch }
        let isOpaque = stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 0xFF }
        let channels = isOpaque ? 3 : 4
        let filtered = RowFilter.filtered(rgba, width: width, height: height, channels: channels)

        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Depth 8, colour type RGB or RGBA, then the only compression, the only filters, not interlaced.
        let header = bytes(UInt32(width)) + bytes(UInt32(height)) + [8, isOpaque ? 2 : 6, 0, 0, 0]
        append("IHDR", header, to: &file)
        append("sRGB", [0], to: &file)
        append("IDAT", Deflate.zlibStream(of: filtered), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + content
        file += bytes(UInt32(content.count)) + body + bytes(Checksums.crc32(body))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian, Array.init)
    }
}
