#if Cairo
    import AsyncLayers
    import BitmapRendering
    import CairoRendering
    import Foundation
    import Testing

    @testable import FeedDemo

    @Suite("Cells drawn with Cairo", .timeLimit(.minutes(5)))
    struct CairoPainterTests {
        private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]
        private let folder: TemporaryFolder
        /// Red and green above blue and yellow.
        private let quarters: String

        init() throws {
            folder = try TemporaryFolder()
            let (width, height) = (64, 40)
            let rgba = (0..<width * height).flatMap { index in
                let isRight = index % width >= width / 2
                let isBelow = index / width >= height / 2
                return Self.colors[(isBelow ? 2 : 0) + (isRight ? 1 : 0)] + [255]
            }
            quarters = try folder.write(
                Data(PNG.encode(width: width, height: height, rgba: rgba)), to: "quarters.png")
        }

        private func item(_ text: String, kind: FeedItem.Kind = .paragraph) -> FeedItem {
            FeedItem(author: "Author", source: "test", kind: kind, text: text)
        }

        private func draw(
            _ layout: CairoCellLayout, _ painter: CairoPainter, isCancelled: () -> Bool = { false }
        ) throws -> Screenshot {
            let scale = 2.0
            let context = try painter.base.makeContext(
                ContextDescription(
                    pixelWidth: Int(layout.size.width * scale), pixelHeight: Int(layout.size.height * scale),
                    scale: scale, isOpaque: true))
            painter.base.fill(context, with: CellGeometry.pageColor)
            painter.draw(layout, in: context, isCancelled: isCancelled)
            return CairoPainter.screenshot(of: try painter.base.makeContents(from: context))
        }

        /// The colour at a place in points, in a picture at scale 2.
        private func color(_ picture: Screenshot, _ x: Double, _ y: Double) -> [UInt8] {
            let offset = 4 * (Int(y * 2) * picture.pixelWidth + Int(x * 2))
            return Array(picture.rgba[offset..<offset + 3])
        }

        @Test("every fourth cell shows a picture, one after the other, and is higher by it")
        func pattern() {
            let painter = CairoPainter(pictures: ["a", "b", "c"])
            let layouts = (1...16).map { painter.layOut(item("text"), number: $0, width: 320) }
            let pictures = layouts.map(\.picture)
            #expect(pictures.enumerated().allSatisfy { ($0 + 1) % 4 == 0 || $1 == nil })
            #expect(pictures.compactMap { $0 } == ["a", "b", "c", "a"])
            let layout = layouts[3]
            #expect(layout.size.height == layouts[0].size.height + 12 + layout.pictureRect.size.height)
            #expect(layout.pictureRect.maxY <= layout.geometry.bubble.maxY)
            #expect(layout.pictureRect.maxX <= layout.geometry.headerEnd)
            #expect(CairoPainter(pictures: []).layOut(item("text"), number: 4, width: 320).picture == nil)
        }

        @Test("a picture is the right way round, in its own colours, and its corners are round")
        func picture() throws {
            let painter = CairoPainter(pictures: [quarters])
            let layout = painter.layOut(item("text"), number: 4, width: 320)
            let drawn = try draw(layout, painter)
            let rect = layout.pictureRect
            for (index, expected) in Self.colors.enumerated() {
                let (right, below) = (index % 2, index / 2)
                let x = rect.minX + rect.size.width * (right == 1 ? 0.75 : 0.25)
                let y = rect.minY + rect.size.height * (below == 1 ? 0.75 : 0.25)
                #expect(color(drawn, x, y) == expected)
            }
            for (x, y) in [
                (rect.minX, rect.minY), (rect.maxX - 0.5, rect.minY), (rect.minX, rect.maxY - 0.5),
                (rect.maxX - 0.5, rect.maxY - 0.5),
            ] {
                let corner = color(drawn, x, y)
                #expect(corner.allSatisfy { $0 > 150 }, "the bubble is light, \(corner) is not")
            }
        }

        @Test("a picture is read once a run; one that can no longer be read leaves its place empty")
        func readOnce() throws {
            let painter = CairoPainter(pictures: [quarters])
            let layout = painter.layOut(item("text"), number: 4, width: 320)
            let first = try draw(layout, painter)
            try FileManager.default.removeItem(atPath: quarters)
            #expect(try draw(layout, painter).hasSamePixels(as: first))
            painter.beginRun()
            let later = try draw(layout, painter)
            #expect(!later.hasSamePixels(as: first))
            let rect = layout.pictureRect
            let place = color(later, rect.minX + 20, rect.minY + 20)
            #expect(place.allSatisfy { $0 > 150 })
        }

        @Test("all texts of a cell are laid out before it is drawn, so that no run pays for them")
        func laidOutAhead() throws {
            let painter = CairoPainter(pictures: [])
            let layouts = (1...3).map { painter.layOut(item("text \($0)"), number: $0, width: 320) }
            let misses = painter.layouts.statistics.misses
            #expect(misses > 0)
            for layout in layouts { _ = try draw(layout, painter) }
            #expect(painter.layouts.statistics.misses == misses)
        }

        @Test("text that is read from the right stands at the right")
        func rightToLeft() throws {
            let painter = CairoPainter(pictures: [])
            func darkColumns(_ text: String) throws -> (left: Int, right: Int) {
                let layout = painter.layOut(item(text), number: 1, width: 320)
                let drawn = try draw(layout, painter)
                let (content, end) = (layout.geometry.content, layout.geometry.headerEnd)
                let columns = stride(from: content.x, to: end, by: 0.5).filter { x in
                    stride(from: content.y, to: layout.geometry.bubble.maxY - 12, by: 0.5).contains {
                        color(drawn, x, $0)[1] < 100
                    }
                }
                let middle = (content.x + end) / 2
                return (columns.count { $0 < middle }, columns.count { $0 >= middle })
            }
            let latin = try darkColumns("short")
            #expect(latin.left > 10 && latin.right == 0)
            let hebrew = try darkColumns("שלום עולם")
            #expect(hebrew.left == 0 && hebrew.right > 10)
        }

        @Test("marks are drawn as the document spells them, and by the stroke font as it can")
        func spelling() {
            let marked = FeedItem(author: "A – b", source: "s", kind: .paragraph, text: "“a” → b")
            let cairo = CairoPainter(pictures: []).layOut(marked, number: 1, width: 320)
            #expect(cairo.text.text.string == "“a” → b")
            #expect(cairo.header.text.string == "A – b")
            let bitmap = BitmapPainter().layOut(marked, number: 1, width: 320)
            #expect(bitmap.lines.map(\.text) == ["\"a\" -> b"])
            #expect(cairo.colors == CellColors(author: bitmap.item.author), "with either painter")
        }

        @Test("a draw that is cancelled stops between its parts")
        func cancelled() throws {
            let painter = CairoPainter(pictures: [quarters])
            let layout = painter.layOut(item("text"), number: 4, width: 320)
            let rect = layout.pictureRect
            for parts in 0...1 {
                var asked = 0
                let drawn = try draw(layout, painter) {
                    asked += 1
                    return asked > parts
                }
                #expect(asked == parts + 1)
                let place = color(drawn, rect.minX + 20, rect.minY + 20)
                #expect(place.allSatisfy { $0 > 150 }, "the picture comes last")
            }
        }

        @Test("long text wraps, code is set in a fixed width, and all of it lies within the cell")
        func text() throws {
            let painter = CairoPainter(pictures: [])
            let line = Array(repeating: "word", count: 60).joined(separator: " ")
            for kind in FeedItem.Kind.allCases {
                let layout = painter.layOut(item(line, kind: kind), number: 1, width: 200)
                let text = try TextLayout(
                    layout.text.text, width: CellGeometry.contentWidth(ofCell: 200),
                    options: layout.text.options)
                #expect(text.lineCount > 5)
                #expect(layout.geometry.content.y + text.size.height <= layout.geometry.bubble.maxY)
                #expect(text.size.width <= CellGeometry.contentWidth(ofCell: 200) + 1)
            }
            func width(_ text: String) throws -> Double {
                let layout = painter.layOut(item(text, kind: .code), number: 1, width: 320)
                return try TextLayout(layout.text.text).size.width
            }
            #expect(try abs(width("iiii") - width("mmmm")) < 0.01)
        }
    }
#endif
