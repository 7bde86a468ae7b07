/// What a context needs while it draws: a few rows as wide as the context, and a small mask for strokes.
///
/// It is taken with the context, so that running out of memory is an error at one place and drawing itself
/// never takes any but for lists of points. What has a place for each column is indexed by the columns of the
/// whole picture, as everything that is drawn.
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
    /// For each row of the mask, the first column that is covered.
    let firstColumns: UnsafeMutablePointer<Int32>
    /// For each row of the mask, the column after the last that is covered.
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
