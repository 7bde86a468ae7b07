import Testing

@testable import AsyncLayers

@Suite("Cutting a picture into tiles", .timeLimit(.minutes(5)))
struct TilePlanTests {
    private func plan(
        _ width: Int, _ height: Int, limit: Int, bytes: (ContextDescription) -> Int = fourBytesAPixel
    ) throws -> TilePlan {
        let picture = ContextDescription(pixelWidth: width, pixelHeight: height, scale: 1.5, isOpaque: true)
        return try TilePlan(of: picture, byteLimit: limit, byteCount: bytes)
    }

    private static func fourBytesAPixel(_ description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * 4
    }

    /// A renderer that aligns its rows and has a header.
    private static func aligned(_ description: ContextDescription) -> Int {
        128 + (description.pixelWidth + 15) / 16 * 64 * description.pixelHeight
    }

    @Test("a picture that fits is one tile, the picture itself")
    func one() throws {
        let picture = ContextDescription(pixelWidth: 30, pixelHeight: 20, scale: 2, pixelOriginX: 7)
        let plan = try TilePlan(of: picture, byteLimit: 2_400, byteCount: Self.fourBytesAPixel)
        #expect(plan.tiles == [picture])
    }

    @Test("one byte less, and it is two; the cut is across the longer side")
    func two() throws {
        #expect(
            try plan(30, 20, limit: 2_399).tiles == [
                ContextDescription(pixelWidth: 15, pixelHeight: 20, scale: 1.5, isOpaque: true),
                ContextDescription(
                    pixelWidth: 15, pixelHeight: 20, scale: 1.5, isOpaque: true, pixelOriginX: 15),
            ])
    }

    @Test(
        "tiles come row by row, cover the picture exactly, and keep to the limit",
        arguments: [
            (1, 1, 4), (1, 1_000, 40), (1_000, 1, 40), (1_000, 1_000, 40_000), (999, 1_001, 12_345),
            (7, 5, 4), (10_000, 3, 100), (16_777_216, 16, 1 << 20), (640, 480, 1_228_799),
        ])
    func covering(width: Int, height: Int, limit: Int) throws {
        for bytes in [Self.fourBytesAPixel, Self.aligned] {
            let limit = bytes(ContextDescription(pixelWidth: 1, pixelHeight: 1)) + limit
            let tiles = try plan(width, height, limit: limit, bytes: bytes).tiles
            var (x, y) = (0, 0)
            for tile in tiles {
                #expect(tile.pixelWidth >= 1 && tile.pixelHeight >= 1)
                #expect(tile.pixelOriginX == x && tile.pixelOriginY == y)
                #expect(bytes(tile) <= limit)
                #expect(tile.scale == 1.5 && tile.isOpaque)
                x += tile.pixelWidth
                if x == width { (x, y) = (0, y + tile.pixelHeight) }
            }
            #expect(x == 0 && y == height)
        }
    }

    @Test("the parts of a part keep their place in the whole")
    func partOfPart() throws {
        let part = ContextDescription(pixelWidth: 10, pixelHeight: 10, pixelOriginX: 100, pixelOriginY: 200)
        let plan = try TilePlan(of: part, byteLimit: 200, byteCount: Self.fourBytesAPixel)
        #expect(plan.tiles.map(\.pixelOriginX) == [100, 100])
        #expect(plan.tiles.map(\.pixelOriginY) == [200, 205])
    }

    @Test(
        "there are as few tiles as possible, as square as possible, and no strips",
        arguments: [
            (1_000, 1_000, 1_000_000, [1, 1]), (1_000, 1_000, 999_999, [2, 1]),
            (1_000, 1_000, 250_000, [2, 2]), (1_000, 1_000, 167_000, [3, 2]),
            (1_000, 1_000, 143_000, [4, 2]), (100, 1_000, 50_000, [1, 2]), (100, 1_000, 500, [4, 50]),
            (1, 1_000, 100, [1, 10]), (8, 8, 1, [8, 8]),
        ])
    func shape(width: Int, height: Int, pixels: Int, grid: [Int]) throws {
        let tiles = try plan(width, height, limit: 4 * pixels).tiles
        let columns = Set(tiles.map(\.pixelOriginX)).count
        #expect([columns, tiles.count / columns].sorted() == grid.sorted(), "\(columns) columns")
        for tile in tiles where columns > 1 { #expect(tile.pixelHeight <= 2 * tile.pixelWidth) }
        for tile in tiles where tiles.count > columns { #expect(tile.pixelWidth <= 2 * tile.pixelHeight) }
    }

    @Test("strips are cut where anything else would be too many tiles")
    func strips() throws {
        // A row of up to 16 pixels takes 64 bytes: nearly square tiles would be of one or two pixels.
        let tiles = try plan(160, 400, limit: 128 + 64, bytes: Self.aligned).tiles
        #expect(tiles.count == 4_000)
        #expect(tiles[0].pixelWidth == 16 && tiles[0].pixelHeight == 1)
    }

    @Test("a limit below one pixel, far too many tiles, and no picture are errors")
    func errors() throws {
        #expect(throws: DisplayError.tooManyTiles(limit: 3)) { try plan(5, 5, limit: 3) }
        #expect(throws: DisplayError.tooManyTiles(limit: .min)) { try plan(5, 5, limit: .min) }
        #expect(throws: DisplayError.tooManyTiles(limit: 9)) {
            try plan(5, 5, limit: 9) { _ in -1 }
        }
        #expect(try plan(64, 64, limit: 4).tiles.count == DisplayError.maximumTileCount)
        #expect(throws: DisplayError.tooManyTiles(limit: 4)) { try plan(64, 65, limit: 4) }
        #expect(DisplayError.tooManyTiles(limit: 4).description.contains("more than 4096 tiles"))
        #expect(throws: DisplayError.tooManyTiles(limit: 4)) { try plan(1 << 24, 1 << 24, limit: 4) }
        for (width, height) in [(0, 1), (1, 0), (-1, 5), (.max, .max), (1 << 24 + 1, 1), (.min, 1)] {
            let error = DisplayError.tooManyPixels(width: Double(width), height: Double(height))
            #expect(throws: error) { try plan(width, height, limit: 1_000) }
        }
    }

    @Test("the largest picture is planned at once")
    func largest() throws {
        let start = ContinuousClock.now
        #expect(try plan(1 << 24, 1 << 24, limit: 1 << 40).tiles.count == 1_024)
        let elapsed = ContinuousClock.now - start
        #expect(elapsed < .seconds(1))
    }
}
