import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools
import Synchronization
import TiledLayers

// What the benchmarks of tiled layers show, and how they are run.

typealias TileDraw = TiledLayer<BitmapRenderer>.Draw

enum Tiled {
    static let ours = "TiledLayer"
    /// What is in view, in pixels.
    static let window = Size(width: 1_920, height: 1_080)

    /// A trial on a pool of its own.
    static func trial(
        _ contender: String = ours,
        measure: @escaping @MainActor @Sendable (DefaultQueuePool, Scale) throws -> [Reading]
    ) -> Trial {
        Trial(contender, threads: .own) { scale in
            let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(scale.workers))
            return Session(
                measure: { try MainActor.assumeIsolated { try measure(pool, scale) } },
                end: { pool.shutdownBlocking() })
        }
    }

    /// The bytes of a picture.
    static func byteCount(of context: BitmapContext) -> Int { context.pixelWidth * context.pixelHeight * 4 }
}

/// A tiled layer, its content, and what was drawn.
@MainActor
final class TiledPage: TiledLayerDelegate {
    let layer: TiledLayer<BitmapRenderer>
    let drawn = DrawnPictures()
    /// Draws the content as it is now.
    var draw: TileDraw

    init(_ size: Size, _ pool: DefaultQueuePool, draw: @escaping TileDraw) {
        self.draw = draw
        layer = TiledLayer(renderer: BitmapRenderer(), documentSize: size, host: DisplayHost(pool: pool))
        layer.delegate = self
    }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TileDraw? {
        { [draw, drawn] context, scope in
            drawn.add(Tiled.byteCount(of: context))
            try draw(context, scope)
        }
    }

    /// Shows a part at rest, and returns when all of it is there and nothing is drawn any more.
    func open(_ visible: Rect, scale: Double = 1) throws {
        try layer.show(visible, scale: scale)
        try MainLoop.run(until: "a view is complete") { layer.isComplete }
        MainLoop.settle()
    }
}

/// Counts pictures from the moment at which their draws begin.
final class DrawnPictures: Sendable {
    private let state = Mutex((count: 0, byteCount: 0))

    func add(_ byteCount: Int) {
        state.withLock { state in
            state.count += 1
            state.byteCount += byteCount
        }
    }

    var count: Int { state.withLock { $0.count } }
    var byteCount: Int { state.withLock { $0.byteCount } }
}

/// A document of 20,000 × 20,000 points with as many shapes, some of them translucent.
final class ShapeDocument: Sendable {
    static let size = Size(width: extent, height: extent)
    static let shared = ShapeDocument()

    private static let extent = 20_000.0
    private static let cellExtent = 500.0
    private static let cellsARow = Int(extent / cellExtent)

    private struct Shape {
        let rect: Rect
        let color: Color
        let isEllipse: Bool
    }

    private let shapes: [Shape]
    /// The numbers of the shapes that touch a cell, row by row.
    private let cells: [[Int]]

    private init() {
        var generator = SeededGenerator(seed: 34)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        let shapes = (0..<20_000).map { index in
            Shape(
                rect: Rect(
                    x: number(0...Self.extent), y: number(0...Self.extent), width: number(20...300),
                    height: number(20...300)),
                color: Color(
                    red: number(0...1), green: number(0...1), blue: number(0...1), alpha: number(0.5...1)),
                isEllipse: index.isMultiple(of: 2))
        }
        var cells = [[Int]](repeating: [], count: Self.cellsARow * Self.cellsARow)
        for (number, shape) in shapes.enumerated() {
            let (columns, rows) = Self.cells(in: shape.rect)
            for row in rows { for column in columns { cells[row * Self.cellsARow + column].append(number) } }
        }
        (self.shapes, self.cells) = (shapes, cells)
    }

    private static func cells(in rect: Rect) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func cell(_ place: Double) -> Int { min(max(0, Int(place / cellExtent)), cellsARow - 1) }
        return (cell(rect.minX)...cell(rect.maxX), cell(rect.minY)...cell(rect.maxY))
    }

    func draw(_ area: Rect, into context: BitmapContext) {
        context.fill(with: .color(.white))
        var numbers: Set<Int> = []
        let (columns, rows) = Self.cells(in: area)
        for row in rows { for column in columns { numbers.formUnion(cells[row * Self.cellsARow + column]) } }
        for number in numbers.sorted() where shapes[number].rect.intersects(area) {
            let shape = shapes[number]
            if shape.isEllipse {
                context.fillEllipse(in: shape.rect, with: .color(shape.color))
            } else {
                context.fill(shape.rect, cornerRadius: 8, with: .color(shape.color))
            }
        }
    }

    static let draw: TileDraw = { context, scope in shared.draw(scope.area, into: context) }
}

/// 200 lines of bars as long as words, on 3840 × 2160 pixels.
struct EditorText: Sendable {
    static let size = Size(width: 3_840, height: 2_160)
    static let caretSize = Size(width: 20, height: 40)

    private static let lineHeight = 10.8

    private let lines: [[Rect]]
    /// Where the caret is, if it is shown.
    var caret: Rect?

    init() {
        var generator = SeededGenerator(seed: 200)
        lines = (0..<200).map { line in
            var (words, x) = ([Rect](), 10.0)
            while x < Self.size.width - 100 {
                let width = Double.random(in: 15...90, using: &generator)
                words.append(Rect(x: x, y: Double(line) * Self.lineHeight + 2, width: width, height: 7))
                x += width + 8
            }
            return words
        }
    }

    func draw(_ area: Rect, into context: BitmapContext) {
        context.fill(with: .color(.white))
        let first = max(0, Int(area.minY / Self.lineHeight))
        let last = min(lines.count, Int(area.maxY / Self.lineHeight) + 1)
        for line in first..<max(first, last) {
            for word in lines[line] where word.intersects(area) {
                context.fill(word, cornerRadius: 2, with: .color(.black))
            }
        }
        if let caret, caret.intersects(area) { context.fill(caret, with: .color(.black)) }
    }
}
