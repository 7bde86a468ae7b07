#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A finished picture: premultiplied RGBA, eight bits a channel, rows from the top, without gaps.
///
/// It never changes, so any thread may read it. Its memory (four bytes a pixel) is freed with its last
/// reference. Bitmaps come from ``BitmapContext/makeBitmap()``, which hands the pixels over without copying
/// them.
public final class Bitmap: CustomStringConvertible, @unchecked Sendable {
    // Unchecked because of the pointer in `memory`: nothing writes through it once a bitmap owns it.

    /// Width in pixels, at least 1.
    public let pixelWidth: Int
    /// Height in pixels, at least 1.
    public let pixelHeight: Int
    /// Pixels per point that the picture was drawn at; finite and above zero.
    public let scale: Double
    private let memory: PixelMemory

    /// The size and the scale, such as "640 × 480 pixels at scale 2.0".
    public var description: String { "\(pixelWidth) × \(pixelHeight) pixels at scale \(scale)" }

    init(pixelWidth: Int, pixelHeight: Int, scale: Double, memory: consuming PixelMemory) {
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.scale = scale
        self.memory = memory
    }

    /// The pixels, four bytes each, for the library's own drawing.
    var pixels: UnsafePointer<UInt32> {
        UnsafePointer(memory.start.assumingMemoryBound(to: UInt32.self))
    }

    /// One premultiplied pixel: no colour component exceeds `alpha`.
    public struct Pixel: Hashable, Sendable, CustomStringConvertible {
        /// Red times alpha, 0…255.
        public var red: UInt8
        /// Green times alpha, 0…255.
        public var green: UInt8
        /// Blue times alpha, 0…255.
        public var blue: UInt8
        /// Opacity: 0 is clear, 255 hides what is behind.
        public var alpha: UInt8

        /// Makes a pixel from components that are premultiplied already.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }

        /// The components, such as "rgba(255, 128, 0, 255)".
        public var description: String { "rgba(\(red), \(green), \(blue), \(alpha))" }
    }

    /// The pixel at a column and a row, counted from the top left; clear outside the picture. O(1).
    public subscript(x x: Int, y y: Int) -> Pixel {
        guard (0..<pixelWidth).contains(x), (0..<pixelHeight).contains(y) else {
            return Pixel(red: 0, green: 0, blue: 0, alpha: 0)
        }
        let bytes = UnsafeRawPointer(memory.start) + 4 * (y * pixelWidth + x)
        return Pixel(
            red: bytes.load(as: UInt8.self), green: bytes.load(fromByteOffset: 1, as: UInt8.self),
            blue: bytes.load(fromByteOffset: 2, as: UInt8.self),
            alpha: bytes.load(fromByteOffset: 3, as: UInt8.self))
    }

    /// Lends the bytes for the time of a call: `4 * pixelWidth * pixelHeight` of them, in the order red,
    /// green, blue, alpha, row by row from the top.
    ///
    /// - Parameter body: reads the bytes; the pointer is not valid after it returns.
    public func withUnsafeBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory.start, count: memory.byteCount))
    }

    /// True when the other picture has the same extents in pixels and the same bytes; the scale may differ.
    /// O(pixels), or O(1) for a picture and itself.
    public func hasSamePixels(as other: Bitmap) -> Bool {
        guard self !== other else { return true }
        guard pixelWidth == other.pixelWidth, pixelHeight == other.pixelHeight else { return false }
        return memcmp(memory.start, other.memory.start, memory.byteCount) == 0
    }
}

/// Zeroed memory that is freed with its owner. It cannot be copied, only moved.
///
/// `calloc` rather than Swift's allocator: it takes large blocks from the system as zeroed pages, so that the
/// pixels are written once only (by the draw), and it reports a failure where Swift's allocator would trap.
struct PixelMemory: ~Copyable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Takes zeroed memory for a number of bytes above zero.
    init(byteCount: Int) throws(BitmapError) {
        guard let start = calloc(byteCount, 1) else {
            throw .outOfMemory(byteCount: byteCount)
        }
        self.start = start
        self.byteCount = byteCount
    }

    deinit {
        free(start)
    }
}
