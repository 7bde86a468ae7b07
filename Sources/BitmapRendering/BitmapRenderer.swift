public import AsyncLayers

/// The renderer that needs nothing but the standard library: it draws RGBA pixels in memory, on the CPU.
///
/// The same drawing yields the same bytes on any thread and at any time. All renderers are equal.
public struct BitmapRenderer: Renderer {
    /// Makes a renderer.
    public init() {}

    /// The bytes of the pixels, four each; the context's working memory (under 64 KiB and eight bytes a
    /// column) is not counted, because it does not outlive the draw. `Int.max` where the product does not fit
    /// an `Int`.
    public func byteCount(of description: ContextDescription) -> Int {
        let (pixelCount, overflow) = description.pixelWidth.multipliedReportingOverflow(
            by: description.pixelHeight)
        let (byteCount, overflowOfBytes) = pixelCount.multipliedReportingOverflow(by: 4)
        return overflow || overflowOfBytes ? .max : byteCount
    }

    /// Makes a clear context. Alpha is kept also where the description says opaque. The parts of a picture,
    /// put side by side, are the whole picture, byte for byte.
    public func makeContext(_ description: ContextDescription) throws -> BitmapContext {
        try BitmapContext(
            pixelWidth: description.pixelWidth, pixelHeight: description.pixelHeight,
            scale: description.scale, pixelOriginX: description.pixelOriginX,
            pixelOriginY: description.pixelOriginY)
    }

    /// Makes a context that begins as a copy of a picture of the same extents, and is drawn in some of its
    /// pixels only, byte for byte as if it were drawn whole. Nil for one of other extents. O(pixels), a copy
    /// in memory.
    public func makeContext(
        _ description: ContextDescription, copying contents: Bitmap,
        redrawing pixels: AsyncLayers.PixelRect
    ) throws -> BitmapContext? {
        let context = try makeContext(description)
        let whole = PixelRect(minX: 0, minY: 0, maxX: context.pixelWidth, maxY: context.pixelHeight)
        let redrawn = PixelRect(minX: pixels.minX, minY: pixels.minY, maxX: pixels.maxX, maxY: pixels.maxY)
            .intersection(whole)
        guard contents.pixelWidth == whole.maxX, contents.pixelHeight == whole.maxY, !redrawn.isEmpty else {
            return nil
        }
        context.begin(as: contents, redrawing: redrawn)
        return context
    }

    /// Paints the whole context with a colour, over what is there. O(pixels).
    public func fill(_ context: BitmapContext, with color: Color) {
        context.fill(with: .color(color))
    }

    /// Hands the context's pixels over without copying them; the context traps when it is used again. O(1).
    public func makeContents(from context: BitmapContext) -> Bitmap {
        context.makeBitmap()
    }
}

extension BitmapRenderer: CompositingRenderer {
    /// Blends a picture over what is there; see ``BitmapContext/draw(_:placed:)``.
    public func draw(_ contents: Bitmap, into context: BitmapContext, placed placement: ContentsPlacement) {
        context.draw(contents, placed: placement)
    }
}

/// Why a ``BitmapContext`` could not be made.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BitmapError: Error, Equatable, CustomStringConvertible {
    /// A width or a height, in pixels, that is not in 1…`ContextDescription.pixelExtentLimit`.
    case invalidSize(pixelWidth: Int, pixelHeight: Int)
    /// The place of a context in a larger picture, in pixels, is negative or ends beyond
    /// `ContextDescription.wholeExtentLimit`.
    case invalidOrigin(pixelOriginX: Int, pixelOriginY: Int)
    /// A number of pixels per point that is not finite and above zero.
    case invalidScale(Double)
    /// The system did not give the memory that the pixels need.
    case outOfMemory(byteCount: Int)

    /// One line for a log, in English.
    public var description: String {
        switch self {
        case .invalidSize(let width, let height):
            "a bitmap cannot be \(width) × \(height) pixels: "
                + "each side must be from 1 to \(ContextDescription.pixelExtentLimit)"
        case .invalidOrigin(let x, let y):
            "a bitmap cannot begin at the pixel (\(x), \(y)) of a picture: the picture's pixels are counted "
                + "from 0 to \(ContextDescription.wholeExtentLimit)"
        case .invalidScale(let scale):
            "a bitmap cannot have \(scale) pixels per point: the scale must be finite and above zero"
        case .outOfMemory(let byteCount):
            "the system has no memory for the \(byteCount) bytes of a bitmap"
        }
    }
}
