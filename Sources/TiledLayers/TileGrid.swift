import AsyncLayers

/// Where the tiles of a level lie: the picture of the whole content at a scale, cut along whole pixels.
struct TileGrid: Hashable {
    struct Index: Hashable {
        let column: Int
        let row: Int
    }

    /// Pixels per point of the content.
    let scale: Double
    let tileWidth: Int
    let tileHeight: Int

    /// The largest level has so many pixels a side, with the tile that begins last.
    static let maximumExtent = ContextDescription.wholeExtentLimit

    /// Content of no more than this is one tile: cutting it would cost more than it saves.
    static let singleTileExtent = 512

    /// - Parameters:
    ///   - tileExtent: the width and the height of a tile, in pixels; nil for 256, and 512 from
    ///     scale 2 on.
    init(content: Size, scale: Double, tileExtent: Int?) {
        let tileExtent = tileExtent ?? (scale >= 2 ? 512 : 256)
        self.scale = scale
        let (width, height) = (Self.pixels(content.width, scale), Self.pixels(content.height, scale))
        let isSingle = width <= Self.singleTileExtent && height <= Self.singleTileExtent
        tileWidth = isSingle ? max(1, width) : tileExtent
        tileHeight = isSingle ? max(1, height) : tileExtent
    }

    /// How many pixels a length takes; a thousandth of one does not count, as in `AsyncLayers`.
    static func pixels(_ length: Double, _ scale: Double) -> Int {
        Int(min(max(0, length * scale - 1.0 / 1024), Double(maximumExtent)).rounded(.up))
    }

    /// The number of a tile's pixels.
    var tileArea: Int { tileWidth * tileHeight }

    /// The pixels of a tile, which may reach beyond the content.
    func frame(of index: Index) -> PixelRect {
        let (x, y) = (index.column * tileWidth, index.row * tileHeight)
        return PixelRect(minX: x, minY: y, maxX: x + tileWidth, maxY: y + tileHeight)
    }

    /// The pixels that are drawn for a tile: one more at each side, which interpolation reads where a picture
    /// is stretched; none where the content begins.
    func drawnFrame(of index: Index) -> PixelRect {
        let frame = frame(of: index)
        return PixelRect(
            minX: max(0, frame.minX - 1), minY: max(0, frame.minY - 1), maxX: frame.maxX + 1,
            maxY: frame.maxY + 1)
    }

    /// The pixels of the content.
    func frame(ofContent size: Size) -> PixelRect {
        PixelRect(
            minX: 0, minY: 0, maxX: Self.pixels(size.width, scale), maxY: Self.pixels(size.height, scale))
    }

    /// The pixels that a rectangle of the content touches.
    func pixels(in rect: Rect) -> PixelRect {
        func edge(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(min(max(value * scale, -1), Double(Self.maximumExtent)).rounded(rule))
        }
        guard !rect.isEmpty else { return PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0) }
        return PixelRect(
            minX: edge(rect.minX, .down), minY: edge(rect.minY, .down), maxX: edge(rect.maxX, .up),
            maxY: edge(rect.maxY, .up))
    }

    /// The columns and rows of the tiles that some pixels touch. Not negative.
    func tiles(in pixels: PixelRect) -> (columns: Range<Int>, rows: Range<Int>) {
        func range(_ start: Int, _ end: Int, _ extent: Int) -> Range<Int> {
            guard start < end, end > 0 else { return 0..<0 }
            return max(0, start) / extent..<(end - 1) / extent + 1
        }
        return (range(pixels.minX, pixels.maxX, tileWidth), range(pixels.minY, pixels.maxY, tileHeight))
    }

    /// The tiles that some pixels touch, row by row.
    func indices(in pixels: PixelRect) -> [Index] {
        let (columns, rows) = tiles(in: pixels)
        return rows.flatMap { row in columns.map { Index(column: $0, row: row) } }
    }
}
