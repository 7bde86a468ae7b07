import AsyncLayers
import FeedKit
import Testing

@testable import FeedDemo

@Suite("Tables drawn by each painter", .timeLimit(.minutes(5)))
struct TablePainterTests {
    private static let table = MarkdownTable(
        header: ["Name", "What it is"],
        rows: [
            ["Zebra", "A horse with stripes, which lives in herds on wide plains"],
            ["\u{5E9}\u{5DC}", "\u{65E5}\u{672C}"],
        ])

    private func item(_ table: MarkdownTable) -> FeedItem {
        FeedItem(author: "Author", source: "s", kind: .table, text: table.text, table: table)
    }

    private func draw<Painter: FeedPainter>(
        _ layout: Painter.Layout, _ painter: Painter, isCancelled: () -> Bool = { false }
    ) throws -> Screenshot {
        let context = try painter.base.makeContext(
            ContextDescription(
                pixelWidth: Int(layout.size.width * 2), pixelHeight: Int(layout.size.height * 2), scale: 2,
                isOpaque: true))
        painter.base.fill(context, with: CellGeometry.pageColor)
        try painter.draw(layout, in: context, isCancelled: isCancelled)
        return Painter.screenshot(of: try painter.base.makeContents(from: context))
    }

    /// How many pixels of a place in points are dark, at scale 2.
    private func darkPixels(_ picture: Screenshot, _ rect: Rect) -> Int {
        var count = 0
        let pixels = rect * 2
        for y in Int(pixels.minY)..<Int(pixels.maxY) {
            for x in Int(pixels.minX)..<Int(pixels.maxX) {
                if picture.rgba[4 * (y * picture.pixelWidth + x) + 1] < 110 { count += 1 }
            }
        }
        return count
    }

    @Test(
        "every text of a table stands in its column, and nothing between the columns",
        arguments: FeedRenderer.builtIn)
    func columns(renderer: FeedRenderer) throws {
        try columns(renderer.painter(FeedDemoOptions.defaults))
    }

    private func columns(_ painter: some FeedPainter) throws {
        let layout = painter.layOut(item(Self.table), number: 1, width: 390)
        let (table, content) = try #require(placement(layout))
        let picture = try draw(layout, painter)
        #expect(table.cells.count == 6)
        for cell in table.cells {
            let count = darkPixels(picture, cell.frame.moved(by: content))
            #expect(count > 10, "\(cell.text)")
        }
        let gapStart = table.cells[0].frame.maxX + 1
        let gap = Rect(
            x: gapStart, y: 0, width: table.cells[1].frame.minX - gapStart - 1, height: table.size.height)
        #expect(gap.size.width > 5)
        #expect(darkPixels(picture, gap.moved(by: content)) == 0, "no bars")
        #expect(content.y + table.size.height <= layout.size.height - CellGeometry.gap)
        // Lines between the rows differ from the bubble above them.
        #expect(table.rules.count == 2)
        for rule in table.rules {
            let place = rule.moved(by: content)
            let row = Int(place.minY * 2)
            let x = Int((gapStart + content.x) * 2) + 4
            let green = [-3, 0].map { Int(picture.rgba[4 * ((row + $0) * picture.pixelWidth + x) + 1]) }
            #expect(green[0] > green[1] + 20)
        }
    }

    /// The table's geometry, and its top left corner.
    private func placement(_ layout: some CellLayout) -> (TableGeometry, Point)? {
        if let layout = layout as? BitmapCellLayout {
            return layout.table.map { ($0, layout.geometry.content) }
        }
        #if Cairo
            if let layout = layout as? CairoCellLayout {
                return layout.table.map { ($0, layout.geometry.content) }
            }
        #endif
        return nil
    }

    @Test("a table is laid out and drawn alike each time", arguments: FeedRenderer.builtIn)
    func deterministic(renderer: FeedRenderer) throws {
        func picture(_ painter: some FeedPainter) throws -> Screenshot {
            try draw(painter.layOut(item(Self.table), number: 1, width: 390), painter)
        }
        let first = try picture(renderer.painter(FeedDemoOptions.defaults))
        #expect(try picture(renderer.painter(FeedDemoOptions.defaults)).hasSamePixels(as: first))
    }

    @Test("a draw that is cancelled stops between the texts of a table", arguments: FeedRenderer.builtIn)
    func cancelled(renderer: FeedRenderer) throws {
        try cancelled(renderer.painter(FeedDemoOptions.defaults))
    }

    private func cancelled(_ painter: some FeedPainter) throws {
        let layout = painter.layOut(item(Self.table), number: 1, width: 390)
        let (table, content) = try #require(placement(layout))
        var asked = 0
        let picture = try draw(layout, painter) {
            asked += 1
            return asked > 3
        }
        #expect((4...5).contains(asked), "a picture below the table asks too")
        let drawn = table.cells.map { darkPixels(picture, $0.frame.moved(by: content)) > 0 }
        #expect(drawn == [true, true, false, false, false, false])
    }

    @Test("no cell of a hostile table is higher than a few screens", arguments: FeedRenderer.builtIn)
    func hostile(renderer: FeedRenderer) throws {
        try hostile(renderer.painter(FeedDemoOptions.defaults))
    }

    private func hostile(_ painter: some FeedPainter) throws {
        for (name, table) in MarkdownTableTests.hostile {
            for piece in table.pieces.prefix(10) {
                let layout = painter.layOut(item(piece), number: 1, width: 390)
                #expect(layout.size.height < 3_000, "\(name)")
            }
        }
    }

    #if Cairo
        @Test("all texts of a table are laid out before it is drawn")
        func laidOutAhead() throws {
            let painter = CairoPainter(pictures: [])
            let layout = painter.layOut(item(Self.table), number: 1, width: 390)
            let misses = painter.layouts.statistics.misses
            #expect(misses > 6)
            _ = try draw(layout, painter)
            #expect(painter.layouts.statistics.misses == misses)
        }

        @Test(
            "the layouts that are kept of a table are those that are drawn, in columns and in a list",
            arguments: [390.0, 200])
        func keptLayouts(width: Double) throws {
            let words = Array(repeating: "word", count: 100).joined(separator: " ")
            let table = MarkdownTable(
                header: ["First", "Second", "Third"], rows: [[words, "a few words", "b"], ["c", "d", "e"]])
            let painter = CairoPainter(pictures: [])
            let layout = painter.layOut(item(table), number: 1, width: width)
            let kept = painter.layouts.statistics
            let cells = try #require(layout.table).cells
            let texts = Set(cells.map { "\($0.text) \($0.isBold) \($0.frame.size.width)" })
            // Beside them the author's name in two widths, the initials and the number.
            #expect(kept.count == texts.count + 4)
            _ = try draw(layout, painter)
            #expect(painter.layouts.statistics.misses == kept.misses)
        }
    #endif
}
