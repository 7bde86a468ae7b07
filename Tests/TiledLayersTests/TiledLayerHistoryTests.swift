import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

/// Content of cells, each in the colour of the last edit that has painted it.
@MainActor
private final class Cells: TiledLayerDelegate {
    nonisolated static let extent = 40.0
    nonisolated static let columns = 40
    nonisolated static let rows = 30
    private var numbers = [Int](repeating: 0, count: columns * rows)
    private var last = 0
    /// Called on a pool thread before a tile is drawn.
    var beforeDraw: (@Sendable () -> Void)?

    static var size: Size { Size(width: Double(columns) * extent, height: Double(rows) * extent) }

    nonisolated static func frame(_ column: Int, _ row: Int) -> Rect {
        Rect(x: Double(column) * extent, y: Double(row) * extent, width: extent, height: extent)
    }

    func number(_ column: Int, _ row: Int) -> Int { numbers[row * Self.columns + column] }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [numbers, beforeDraw] context, scope in
            beforeDraw?()
            for row in 0..<Self.rows {
                for column in 0..<Self.columns where Self.frame(column, row).intersects(scope.area) {
                    let number = numbers[row * Self.columns + column]
                    let color = Color(
                        red: Double(number & 255) / 255, green: Double(number >> 8) / 255, blue: 0.5, alpha: 1
                    )
                    context.fill(Self.frame(column, row), with: .color(color))
                }
            }
        }
    }

    /// Paints a rectangle of cells, and returns it.
    func edit(_ columns: Range<Int>, _ rows: Range<Int>) -> Rect {
        last += 1
        for row in rows { for column in columns { numbers[row * Self.columns + column] = last } }
        return Self.frame(columns.lowerBound, rows.lowerBound).union(
            Self.frame(columns.upperBound - 1, rows.upperBound - 1))
    }
}

@Suite("What tiled layers show, frame by frame")
@MainActor
struct TiledLayerHistoryTests {
    private let width = 320
    private let height = 240

    /// The cells in view whose middle is shown, with the number that is shown there.
    private func shown(_ screen: ShadowScreen, _ visible: Rect, _ scale: Double) -> [Int: Int?] {
        var result: [Int: Int?] = [:]
        for row in 0..<Cells.rows {
            for column in 0..<Cells.columns {
                let middle = Cells.frame(column, row).center
                let x = Int(((middle.x - visible.minX) * scale).rounded(.down))
                let y = Int(((middle.y - visible.minY) * scale).rounded(.down))
                guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
                let pixel = screen.pixels[y * width + x]
                result[row * Cells.columns + column] =
                    pixel == 0 ? .some(nil) : Int(pixel & 255) + Int(pixel >> 8 & 255) << 8
            }
        }
        return result
    }

    @Test(
        "no place goes back to an older state, or to none, while it is in view",
        arguments: 1...UInt64(4 * StressPlan.scale))
    func history(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ StressPlan.seed &* 1_000)
        let simulation = Simulation(order: .seeded(seed))
        let cells = Cells()
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Cells.size, tileExtent: 64, host: simulation.host)
        layer.delegate = cells
        if seed % 3 == 0 { layer.byteLimit = 30 * 66 * 66 * 4 }
        // With drafts.
        if seed % 4 > 1 { cells.beforeDraw = { simulation.spend(.milliseconds(9)) } }
        if seed % 5 == 0 { layer.displayTimeLimit = .milliseconds(2) }
        let screen = ShadowScreen(layer)
        var scale = 1.0
        var visible = Rect(x: 300, y: 300, width: 320, height: 240)
        var former: [Int: Int?] = [:]
        func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

        for step in 0..<120 {
            for _ in 0..<random(1..<4) {
                switch random(0..<10) {
                case 0...4:
                    let (column, row) = (random(0..<Cells.columns - 12), random(0..<Cells.rows - 12))
                    let area = cells.edit(column..<column + random(1..<12), row..<row + random(1..<12))
                    layer.setNeedsDisplay(in: area)
                case 5:
                    let distance = Point(x: Double(random(-60..<61)), y: Double(random(-60..<61)))
                    visible = visible.moved(by: distance)
                case 6, 7:
                    scale = [0.5, 0.7, 1, 1.4, 2][random(0..<5)]
                    visible = Rect(
                        center: visible.center,
                        size: Size(width: Double(width), height: Double(height)) * (1 / scale))
                default: layer.trim()
                }
            }
            visible.origin.x = min(max(0, visible.origin.x), Cells.size.width - 40)
            visible.origin.y = min(max(0, visible.origin.y), Cells.size.height - 40)
            try layer.show(visible, scale: scale, isMoving: random(0..<2) == 0)
            // A few things happen: mostly not all tiles are drawn before the next frame.
            for _ in 0..<random(0..<30) where !simulation.step() { break }
            if random(0..<6) == 0 { simulation.advance(by: .milliseconds(20)) }
            screen.drawFrame(width: width, height: height, letsGo: seed % 2 == 0)
            let present = shown(screen, visible, scale)
            for (cell, number) in present {
                guard case .some(.some(let before)) = former[cell] else { continue }
                guard let number else {
                    Issue.record("step \(step): cell \(cell) is blank, and was not")
                    return
                }
                guard number >= before else {
                    Issue.record("step \(step): cell \(cell) shows \(number), and has shown \(before)")
                    return
                }
            }
            former = present
        }
        try layer.show(visible, scale: scale)
        simulation.advance(by: .seconds(2))
        #expect(layer.isComplete)
        screen.drawFrame(width: width, height: height)
        for (cell, number) in shown(screen, visible, scale) {
            #expect(number == cells.number(cell % Cells.columns, cell / Cells.columns))
        }
    }
}
