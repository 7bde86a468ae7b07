public import AsyncLayers

/// Pixels that are drawn into, and that become a ``Bitmap`` when they are done.
///
/// All coordinates are in points; the context multiplies them by its scale. The origin is at the top left,
/// `y` grows downwards. Everything is blended source-over, with anti-aliased edges.
///
/// **Bad geometry is harmless.** What is not finite, is empty, or has a negative extent draws nothing;
/// coordinates are cut at ten billion pixels. The work of a call is bounded by the pixels that can be seen.
///
/// **A part of a picture.** A context may begin at any pixel of a larger picture. Coordinates stay those of
/// the whole picture, so that it is drawn by the same calls, and the parts put side by side are the whole
/// picture, byte for byte.
///
/// **Threads.** A context is for one thread at a time and has no lock: it is not `Sendable`. Two contexts
/// share nothing.
public final class BitmapContext {
    /// Width in pixels.
    public let pixelWidth: Int
    /// Height in pixels.
    public let pixelHeight: Int
    /// Pixels per point.
    public let scale: Double
    /// The column of the whole picture that the context begins with, in pixels.
    public let pixelOriginX: Int
    /// The row of the whole picture that the context begins with, in pixels.
    public let pixelOriginY: Int

    /// What `withClip` and `withTranslation` change, and put back.
    struct State {
        /// Where the coordinates begin, in points.
        var origin: Point
        /// The pixels that may be drawn to, in coordinates of the whole picture, as are all pixels while
        /// something is drawn. Only for access to memory the context's own origin is subtracted: so a part is
        /// drawn by the same numbers as the whole.
        var bounds: PixelRect
        /// Clips whose edges do not lie between pixels. Their coverage is computed for each row that is
        /// drawn: a mask of the whole context would cost memory and more time.
        var clips: [CoverageShape] = []
    }

    var state: State
    let working: WorkingMemory
    /// Nil after the pixels were handed over.
    private var memory: PixelMemory?
    private var pixels: UnsafeMutablePointer<UInt32>?

    /// Makes a context in which every pixel is clear.
    ///
    /// - Parameters:
    ///   - pixelWidth: from 1 to `ContextDescription.pixelExtentLimit`.
    ///   - pixelHeight: from 1 to `ContextDescription.pixelExtentLimit`.
    ///   - scale: pixels per point, finite and above zero.
    ///   - pixelOriginX: the column of a larger picture to begin with; from 0, and with the width at most
    ///     `ContextDescription.wholeExtentLimit`. Default: 0.
    ///   - pixelOriginY: the row of a larger picture to begin with; from 0, and with the height at most the
    ///     same.
    /// - Throws: ``BitmapError``, also when the system has no memory for the pixels.
    public init(
        pixelWidth: Int, pixelHeight: Int, scale: Double = 1, pixelOriginX: Int = 0, pixelOriginY: Int = 0
    ) throws(BitmapError) {
        let extents = 1...ContextDescription.pixelExtentLimit
        guard extents.contains(pixelWidth), extents.contains(pixelHeight) else {
            throw .invalidSize(pixelWidth: pixelWidth, pixelHeight: pixelHeight)
        }
        let lastOrigin = ContextDescription.wholeExtentLimit
        guard (0...lastOrigin - pixelWidth).contains(pixelOriginX),
            (0...lastOrigin - pixelHeight).contains(pixelOriginY)
        else { throw .invalidOrigin(pixelOriginX: pixelOriginX, pixelOriginY: pixelOriginY) }
        guard scale.isFinite, scale > 0 else { throw .invalidScale(scale) }
        let memory = try PixelMemory(byteCount: pixelWidth * pixelHeight * 4)
        working = try WorkingMemory(firstColumn: pixelOriginX, pixelWidth: pixelWidth)
        pixels = memory.start.bindMemory(to: UInt32.self, capacity: pixelWidth * pixelHeight)
        self.memory = consume memory
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.scale = scale
        self.pixelOriginX = pixelOriginX
        self.pixelOriginY = pixelOriginY
        state = State(
            origin: .zero,
            bounds: PixelRect(
                minX: pixelOriginX, minY: pixelOriginY, maxX: pixelOriginX + pixelWidth,
                maxY: pixelOriginY + pixelHeight))
    }

    /// Begins as a picture, but for some of its pixels, which are clear; nothing changes others.
    ///
    /// - Parameters:
    ///   - bitmap: as wide and as high as the context.
    ///   - redrawn: not empty, and within the context; counted from its top left.
    func begin(as bitmap: Bitmap, redrawing redrawn: PixelRect) {
        writablePixels.update(from: bitmap.pixels, count: pixelWidth * pixelHeight)
        for row in redrawn.minY..<redrawn.maxY {
            (writablePixels + row * pixelWidth + redrawn.minX).update(repeating: 0, count: redrawn.width)
        }
        state.bounds = PixelRect(
            minX: pixelOriginX + redrawn.minX, minY: pixelOriginY + redrawn.minY,
            maxX: pixelOriginX + redrawn.maxX, maxY: pixelOriginY + redrawn.maxY)
    }

    /// Hands the pixels over, without copying them. O(1).
    ///
    /// Using the context again ends the program with a message, because other threads may read the bitmap's
    /// pixels.
    public func makeBitmap() -> Bitmap {
        guard let memory = memory.take() else { Self.failSpent() }
        pixels = nil
        return Bitmap(pixelWidth: pixelWidth, pixelHeight: pixelHeight, scale: scale, memory: memory)
    }

    /// The pixels, in rows of ``pixelWidth``.
    var writablePixels: UnsafeMutablePointer<UInt32> {
        guard let pixels else { Self.failSpent() }
        return pixels
    }

    /// The pixels of a row of the whole picture, indexed by its columns.
    func writablePixels(ofRow row: Int) -> UnsafeMutablePointer<UInt32> {
        writablePixels + ((row - pixelOriginY) * pixelWidth - pixelOriginX)
    }

    private static func failSpent() -> Never {
        fatalError("this BitmapContext was used after makeBitmap() had handed its pixels over")
    }

    // MARK: Coordinates and clips

    /// Draws with the origin moved. Moves within moves add up.
    ///
    /// - Parameters:
    ///   - offset: how far to move, in points.
    ///   - body: draws; the origin is put back when it returns or throws.
    public func withTranslation<Result, Failure>(
        _ offset: Point, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = state
        defer { state = outer }
        state.origin.x += offset.x
        state.origin.y += offset.y
        return try body()
    }

    /// Draws within a rectangle only. Clips within clips show what lies in all of them.
    ///
    /// The edges are anti-aliased. A rectangle that is empty or not finite clips everything away.
    ///
    /// - Parameters:
    ///   - rect: what stays visible, in points.
    ///   - cornerRadius: in points, cut at half the shorter side; NaN and negative read as 0.
    ///   - body: draws; the clip is put back when it returns or throws.
    public func withClip<Result, Failure>(
        _ rect: Rect, cornerRadius: Double = 0, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = state
        defer { state = outer }
        if let shape = RoundedShape(rect, cornerRadius: cornerRadius, origin: state.origin, scale: scale) {
            add(.rounded(shape))
        } else {
            state.bounds = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
        }
        return try body()
    }

    /// Narrows what is visible; the caller restores ``state``.
    func add(_ clip: CoverageShape) {
        state.bounds = state.bounds.intersection(clip.bounds)
        if !clip.isPixelAligned { state.clips.append(clip) }
    }
}

/// What a context needs while it draws: a few rows as wide as the context, and a small mask for strokes.
///
/// It is allocated with the context, so that running out of memory is an error at one place; drawing
/// allocates nothing but lists of points. Rows are indexed by the columns of the whole picture, as everything
/// that is drawn.
struct WorkingMemory: ~Copyable {
    /// The mask for strokes holds at least one row, and no more than the first-level cache of a core.
    private static let smallestMask = 1 << 15
    /// The most rows of strokes that are gathered at a time.
    static let largestBand = 256

    /// One byte a column: how much of the pixel is covered by what is being drawn.
    let coverage: UnsafeMutablePointer<UInt8>
    /// One byte a column: how much of the pixel a clip lets through.
    let clip: UnsafeMutablePointer<UInt8>
    /// One pixel a column: colours of a gradient or of a scaled picture.
    let colors: UnsafeMutablePointer<UInt32>
    /// Coverage of the strokes being gathered; all zero between two uses.
    let mask: UnsafeMutablePointer<UInt8>
    let maskCapacity: Int
    /// For each row of the mask, the first column that is covered, counted from the mask's first.
    let firstColumns: UnsafeMutablePointer<Int32>
    /// For each row of the mask, the column after the last that is covered, counted in the same way.
    let lastColumns: UnsafeMutablePointer<Int32>
    private let memory: PixelMemory

    init(firstColumn: Int, pixelWidth: Int) throws(BitmapError) {
        maskCapacity = max(Self.smallestMask, pixelWidth)
        let wordCount = pixelWidth + 2 * Self.largestBand
        memory = try PixelMemory(byteCount: 4 * wordCount + 2 * pixelWidth + maskCapacity)
        colors = memory.start.bindMemory(to: UInt32.self, capacity: pixelWidth) - firstColumn
        firstColumns = (memory.start + 4 * pixelWidth).bindMemory(to: Int32.self, capacity: Self.largestBand)
        lastColumns = (memory.start + 4 * (pixelWidth + Self.largestBand))
            .bindMemory(to: Int32.self, capacity: Self.largestBand)
        let bytes = (memory.start + 4 * wordCount)
            .bindMemory(to: UInt8.self, capacity: 2 * pixelWidth + maskCapacity)
        coverage = bytes - firstColumn
        clip = bytes + pixelWidth - firstColumn
        mask = bytes + 2 * pixelWidth
    }
}
