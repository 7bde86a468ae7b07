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
