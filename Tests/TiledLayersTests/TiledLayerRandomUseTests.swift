import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

@Suite("Random use of tiled layers")
@MainActor
struct TiledLayerRandomUseTests {
    @Test(
        "uploads applied to textures are the picture, whatever is edited, moved and zoomed", arguments: 1...6
    )
    func uploads(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let simulation = Simulation(order: .seeded(seed))
        let document = ShapeDocument(size: Size(width: 900, height: 700), count: 60, seed: seed)
        if seed % 2 == 0 { document.beforeDraw = { simulation.spend(.microseconds(700)) } }
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64, host: simulation.host)
        layer.delegate = document
        layer.byteLimit = 64 * 66 * 66 * 4
        let screen = ShadowScreen(layer)
        let (width, height) = (160, 120)
        var (x, y, scale) = (0.0, 0.0, 1.0)

        func show(isMoving: Bool) throws {
            let visible = Rect(x: x, y: y, width: Double(width) / scale, height: Double(height) / scale)
            try layer.show(visible, scale: scale, isMoving: isMoving)
        }
        func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }

        try show(isMoving: false)
        for _ in 0..<12 {
            for _ in 0..<10 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0...3: layer.setNeedsDisplay(in: document.edit())
                case 4, 5:
                    (x, y) = ((x + random(-40...40)).rounded(), (y + random(-40...40)).rounded())
                    try show(isMoving: Bool.random(using: &generator))
                case 6:
                    scale = [0.5, 0.75, 1, 1.25, 1.5, 2, 3].randomElement(using: &generator) ?? 1
                    try show(isMoving: Bool.random(using: &generator))
                case 7: layer.trim()
                default: simulation.advance(by: .microseconds(Int.random(in: 0...20_000, using: &generator)))
                }
                if Bool.random(using: &generator) {
                    screen.drawFrame(width: width, height: height, letsGo: seed % 3 == 0)
                }
            }
            try show(isMoving: false)
            simulation.advance(by: .seconds(1))
            #expect(layer.isComplete, "seed \(seed)")
            screen.drawFrame(width: width, height: height, letsGo: seed % 3 == 0)
            let picture = try document.picture(scale: scale)
            let origin = (Int((x * scale).rounded()), Int((y * scale).rounded()))
            let difference = screen.difference(from: picture, x: origin.0, y: origin.1)
            #expect(difference == 0, "seed \(seed), scale \(scale), at \(origin)")
            let coverage = screen.newest.coverage
            #expect(coverage.blank == 0 && coverage.stale == 0 && coverage.coarse == 0)
            #expect(layer.statistics.byteCount <= layer.byteLimit + 20 * 66 * 66 * 4)
            if difference != 0 { return }
        }
    }
}
