/// How a picture that is too large for one context is cut into tiles, decided before memory is taken.
///
/// The tiles are a grid whose columns, and rows, differ by one pixel at most. Of all grids that keep each
/// tile within the limit it has the fewest tiles, and of those the tiles nearest to square. It has no strips:
/// a tile is at most twice as long across a cut as along it (a long thin picture that is never cut lengthwise
/// may have long tiles), because a thin tile meets most of what is drawn, which then is visited once for each
/// tile.
struct TilePlan: Hashable, Sendable {
    /// The tiles, row by row from the top, in each row from the left. At least one; one alone is the picture
    /// itself.
    let tiles: [ContextDescription]

    private let picture: ContextDescription
    private let grid: Grid

    /// A picture in one piece.
    init(whole picture: ContextDescription) {
        (self.picture, grid, tiles) = (picture, Grid(columns: 1, rows: 1), [picture])
    }

    /// Cuts a picture.
    ///
    /// Computes a few byte counts for each number of columns that it tries, no more than there will be tiles:
    /// O(tiles · log tiles).
    ///
    /// - Parameters:
    ///   - picture: may itself be a part of a picture.
    ///   - byteLimit: the most bytes of a tile's context.
    ///   - byteCount: the bytes of a context; must not shrink where a context grows. A negative count never
    ///     fits.
    init(
        of picture: ContextDescription, byteLimit: Int, byteCount: (ContextDescription) -> Int
    ) throws(DisplayError) {
        let extents = 1...ContextDescription.maximumPixelExtent
        guard extents.contains(picture.pixelWidth), extents.contains(picture.pixelHeight) else {
            throw .tooManyPixels(width: Double(picture.pixelWidth), height: Double(picture.pixelHeight))
        }
        func fits(_ tile: ContextDescription) -> Bool { (0...max(0, byteLimit)).contains(byteCount(tile)) }

        let pixel = Grid(columns: picture.pixelWidth, rows: picture.pixelHeight)
        guard fits(pixel.largestTile(of: picture)), let grid = Self.bestGrid(of: picture, fits: fits) else {
            throw .tooManyTiles(limit: byteLimit)
        }
        (self.picture, self.grid, tiles) = (picture, grid, grid.tiles(of: picture))
    }

    /// A tile as wide as the widest, and as high as the highest.
    var largestTile: ContextDescription { grid.largestTile(of: picture) }

    /// From the first to the last tile that a rectangle of whole pixels in the picture touches. O(1).
    func indices(under rect: Rect) -> ClosedRange<Int> {
        func index(_ x: Double, _ y: Double) -> Int {
            let (x, y) = (Int(x) - picture.pixelOriginX, Int(y) - picture.pixelOriginY)
            let column = ((x + 1) * grid.columns - 1) / picture.pixelWidth
            return ((y + 1) * grid.rows - 1) / picture.pixelHeight * grid.columns + column
        }
        let first = index(rect.minX, rect.minY)
        return first...max(first, index(rect.maxX - 1, rect.maxY - 1))
    }

    private static func bestGrid(
        of picture: ContextDescription, fits: (ContextDescription) -> Bool
    ) -> Grid? {
        var best: Grid?
        var bestOfStrips: Grid?
        var columns = 1
        while columns <= min(picture.pixelWidth, best?.count ?? DisplayError.maximumTileCount) {
            defer { columns += 1 }
            let mostRows = min(picture.pixelHeight, DisplayError.maximumTileCount / columns)
            guard
                let rows = fewest(
                    1...mostRows,
                    { rows in
                        fits(Grid(columns: columns, rows: rows).largestTile(of: picture))
                    })
            else { continue }
            var grid = Grid(columns: columns, rows: rows)
            if grid.isBetter(than: bestOfStrips, for: picture) { bestOfStrips = grid }
            // So that the tiles are not too high for their width.
            if columns > 1 {
                let width = grid.largestTile(of: picture).pixelWidth
                grid.rows = max(rows, (picture.pixelHeight - 1) / (2 * width) + 1)
            }
            if grid.count <= DisplayError.maximumTileCount, !grid.cutsStrips(of: picture),
                grid.isBetter(than: best, for: picture)
            {
                best = grid
            }
        }
        return best ?? bestOfStrips
    }

    /// The smallest number of a range for which something holds that holds for all larger ones.
    private static func fewest(_ range: ClosedRange<Int>, _ holds: (Int) -> Bool) -> Int? {
        guard holds(range.upperBound) else { return nil }
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private struct Grid: Hashable {
        var columns: Int
        var rows: Int

        var count: Int { columns * rows }

        func largestTile(of picture: ContextDescription) -> ContextDescription {
            var tile = picture
            tile.pixelWidth = (picture.pixelWidth - 1) / columns + 1
            tile.pixelHeight = (picture.pixelHeight - 1) / rows + 1
            return tile
        }

        func cutsStrips(of picture: ContextDescription) -> Bool {
            let tile = largestTile(of: picture)
            return columns > 1 && tile.pixelHeight > 2 * tile.pixelWidth
                || rows > 1 && tile.pixelWidth > 2 * tile.pixelHeight
        }

        func isBetter(than other: Grid?, for picture: ContextDescription) -> Bool {
            guard let other else { return true }
            if count != other.count { return count < other.count }
            return elongation(of: picture) < other.elongation(of: picture)
        }

        private func elongation(of picture: ContextDescription) -> Double {
            let tile = largestTile(of: picture)
            let ratio = Double(tile.pixelWidth) / Double(tile.pixelHeight)
            return max(ratio, 1 / ratio)
        }

        func tiles(of picture: ContextDescription) -> [ContextDescription] {
            (0..<rows).flatMap { row in
                let (top, bottom) = (
                    row * picture.pixelHeight / rows, (row + 1) * picture.pixelHeight / rows
                )
                return (0..<columns).map { column in
                    let left = column * picture.pixelWidth / columns
                    var tile = picture
                    tile.pixelOriginX += left
                    tile.pixelOriginY += top
                    tile.pixelWidth = (column + 1) * picture.pixelWidth / columns - left
                    tile.pixelHeight = bottom - top
                    return tile
                }
            }
        }
    }
}

/// A part of a picture that was drawn in tiles, and its place in the whole, in pixels.
///
/// The tiles of a picture cover it without gaps and overlaps; side by side they equal one context of the
/// whole size.
public struct ContentsTile<Contents> {
    /// The column of the whole picture that the tile begins with, counted from 0 at the left.
    public let pixelOriginX: Int
    /// The row of the whole picture that the tile begins with, counted from 0 at the top.
    public let pixelOriginY: Int
    /// Width in pixels, at least 1.
    public let pixelWidth: Int
    /// Height in pixels, at least 1.
    public let pixelHeight: Int
    /// What the tile shows.
    public let contents: Contents

    /// The tile from a context of this description.
    package init(_ description: ContextDescription, contents: consuming Contents) {
        pixelOriginX = description.pixelOriginX
        pixelOriginY = description.pixelOriginY
        pixelWidth = description.pixelWidth
        pixelHeight = description.pixelHeight
        self.contents = contents
    }
}

extension ContentsTile: Sendable where Contents: Sendable {}
