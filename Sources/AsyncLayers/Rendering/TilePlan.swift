/// How a picture that is too large for one context is cut into tiles, decided before memory is taken.
///
/// The tiles are a grid whose columns, and rows, differ by one pixel at most. Of all grids that keep each
/// tile within the limit it has the fewest tiles, and of those the tiles nearest to square. It has no strips:
/// a tile is at most twice as long across a cut as along it (a long thin picture that is never cut lengthwise
/// may have long tiles), because a thin tile meets most of what is drawn, which then is visited once for each
/// tile.
struct TilePlan: Hashable, Sendable {
    private let picture: ContextDescription
    private let columns: Int
    private var rows: Int

    private init(_ picture: ContextDescription, columns: Int, rows: Int) {
        (self.picture, self.columns, self.rows) = (picture, columns, rows)
    }

    /// A picture in one piece.
    init(whole picture: ContextDescription) {
        self.init(picture, columns: 1, rows: 1)
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
        func fits(_ plan: Self) -> Bool { (0...max(0, byteLimit)).contains(byteCount(plan.largestTile)) }

        let pixels = Self(picture, columns: picture.pixelWidth, rows: picture.pixelHeight)
        guard fits(pixels), let best = Self.best(for: picture, fits: fits) else {
            throw .tooManyTiles(limit: byteLimit)
        }
        self = best
    }

    /// How many tiles there are.
    var count: Int { columns * rows }

    /// The tiles, row by row from the top, in each row from the left. At least one; one alone is the picture
    /// itself. O(tiles).
    var tiles: [ContextDescription] {
        (0..<rows).flatMap { row in
            let (top, bottom) = (row * picture.pixelHeight / rows, (row + 1) * picture.pixelHeight / rows)
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

    /// A tile as wide as the widest, and as high as the highest.
    var largestTile: ContextDescription {
        var tile = picture
        tile.pixelWidth = (picture.pixelWidth - 1) / columns + 1
        tile.pixelHeight = (picture.pixelHeight - 1) / rows + 1
        return tile
    }

    /// From the first to the last tile that a rectangle of whole pixels in the picture touches. O(1).
    func indices(under rect: Rect) -> ClosedRange<Int> {
        func index(_ x: Double, _ y: Double) -> Int {
            let (x, y) = (Int(x) - picture.pixelOriginX, Int(y) - picture.pixelOriginY)
            let column = ((x + 1) * columns - 1) / picture.pixelWidth
            return ((y + 1) * rows - 1) / picture.pixelHeight * columns + column
        }
        let first = index(rect.minX, rect.minY)
        return first...max(first, index(rect.maxX - 1, rect.maxY - 1))
    }

    private static func best(for picture: ContextDescription, fits: (Self) -> Bool) -> Self? {
        var best: Self?
        var bestOfStrips: Self?
        var columns = 1
        while columns <= min(picture.pixelWidth, best?.count ?? DisplayError.maximumTileCount) {
            defer { columns += 1 }
            let mostRows = min(picture.pixelHeight, DisplayError.maximumTileCount / columns)
            let rows = fewest(1...mostRows) { fits(Self(picture, columns: columns, rows: $0)) }
            guard let rows else { continue }
            var plan = Self(picture, columns: columns, rows: rows)
            if plan.isBetter(than: bestOfStrips) { bestOfStrips = plan }
            // So that the tiles are not too high for their width.
            if columns > 1 {
                plan.rows = max(rows, (picture.pixelHeight - 1) / (2 * plan.largestTile.pixelWidth) + 1)
            }
            if plan.count <= DisplayError.maximumTileCount, !plan.cutsStrips, plan.isBetter(than: best) {
                best = plan
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

    private var cutsStrips: Bool {
        let tile = largestTile
        return columns > 1 && tile.pixelHeight > 2 * tile.pixelWidth
            || rows > 1 && tile.pixelWidth > 2 * tile.pixelHeight
    }

    private func isBetter(than other: Self?) -> Bool {
        guard let other else { return true }
        return (count, elongation) < (other.count, other.elongation)
    }

    private var elongation: Double {
        let ratio = Double(largestTile.pixelWidth) / Double(largestTile.pixelHeight)
        return max(ratio, 1 / ratio)
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
