import AsyncLayers
import BitmapRendering
import ManualPools
import QueuePools
import QueuePoolsSimulations
import TestSupport
import TiledLayers

/// A text in tiles of 64 pixels, of which four are in view, with a gutter and a panel beside it. All show the
/// number of the edit that they were drawn with; draws run by hand.
@MainActor
final class GroupedEditor: TiledLayerDelegate, AsyncLayerDelegate {
    typealias R = BitmapRenderer

    let simulation = Simulation()
    let pool: ManualPool
    private let host: DisplayHost
    /// Nil once it was dropped.
    private(set) var text: TiledLayer<BitmapRenderer>?
    let gutter: AsyncLayer<BitmapRenderer>
    let panel: AsyncLayer<BitmapRenderer>
    /// The text and the gutter, with a limit of 100 ms.
    let group: DisplayGroup
    let results = Recorder<DisplayGroupResult>()
    /// The number of the newest edit.
    var state = 0
    /// Called when the text's delegate is asked for the content.
    var onAsked: (@MainActor () -> Void)?
    /// Called in the draw of a tile, on its thread.
    var beforeDraw: (@Sendable (TileScope) throws -> Void)?

    /// - Parameter hasOwnHost: whether the text is on another host than the others.
    init(hasOwnHost: Bool = false) throws {
        pool = try ManualPool(queuesPerTier: 8)
        func makeHost(_ simulation: Simulation, _ pool: ManualPool) -> DisplayHost {
            DisplayHost(
                pool: pool, transactions: simulation.transactions, loop: simulation.host.loop,
                metrics: DisplayMetrics())
        }
        let host = makeHost(simulation, pool)
        let text = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), tileExtent: 64,
            host: hasOwnHost ? makeHost(simulation, pool) : host)
        (gutter, panel) = (
            AsyncLayer(renderer: BitmapRenderer(), host: host),
            AsyncLayer(renderer: BitmapRenderer(), host: host)
        )
        self.host = host
        group = DisplayGroup(timeLimit: .milliseconds(100), host: host)
        self.text = text
        text.delegate = self
        for layer in [gutter, panel] {
            layer.size = Size(width: 8, height: 8)
            layer.delegate = self
            layer.display()
        }
        group.add(text)
        group.add(gutter)
        try show(x: 0)
        settle()
    }

    /// Draws and releases the jobs that wait, which keep the pool.
    isolated deinit { settle() }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        onAsked?()
        return { [state, beforeDraw] context, scope in
            try beforeDraw?(scope)
            context.fill(scope.area, with: .color(Self.color(state)))
        }
    }

    func displayTask(for _: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { [state] context, _ in
            context.fill(Rect(x: 0, y: 0, width: 8, height: 8), with: .color(Self.color(state)))
        }
    }

    nonisolated private static func color(_ state: Int) -> Color {
        Color(red: Double(state) / 255, green: 0, blue: 0)
    }

    // MARK: What the user does

    func show(x: Double, scale: Double = 1) throws {
        try text?.show(Rect(x: x, y: 0, width: 128 / scale, height: 128 / scale), scale: scale)
    }

    /// Changes some of the four tiles that are in view first, and invalidates the gutter.
    func edit(_ tiles: [Int]) {
        state += 1
        damage(tiles)
        gutter.setNeedsDisplay()
    }

    func damage(_ tiles: [Int]) {
        for tile in tiles {
            let (x, y) = (Double(tile % 2 * 64), Double(tile / 2 * 64))
            text?.setNeedsDisplay(in: Rect(x: x + 8, y: y + 8, width: 48, height: 48))
        }
    }

    func display(_ group: DisplayGroup? = nil) {
        (group ?? self.group).display { [results] in results.append($0) }
    }

    func makeGroup(_ layers: AsyncLayer<BitmapRenderer>...) -> DisplayGroup {
        let group = DisplayGroup(timeLimit: .milliseconds(100), host: host)
        if let text { group.add(text) }
        for layer in layers { group.add(layer) }
        return group
    }

    func dropText() { text = nil }

    // MARK: What happens

    /// Draws the oldest tiles of edits, and receives them.
    func drawText(_ count: Int = 1) {
        for _ in 0..<count { pool.runNext(qos: .userInteractive) }
        simulation.run()
    }

    /// Draws the oldest layers, or tiles that came into view, and receives them.
    func drawLayers(_ count: Int = 1) {
        for _ in 0..<count { pool.runNext(qos: .userInitiated) }
        simulation.run()
    }

    func advance(by milliseconds: Int) { simulation.advance(by: .milliseconds(milliseconds)) }

    func settle() {
        repeat { simulation.run() } while pool.runAll() > 0
    }

    // MARK: What is seen

    /// The edits that the four quarters of the window show, and the gutter; nil for nothing.
    var shown: [Int?] {
        let places = text?.takeChanges().placed ?? []
        let tiles = [(32, 32), (96, 32), (32, 96), (96, 96)].map { x, y in
            text?.pixel(x: x, y: y, in: places).map { Int($0.red) }
        }
        return tiles + [shown(gutter)]
    }

    func shown(_ layer: AsyncLayer<BitmapRenderer>) -> Int? {
        layer.contents.map { Int($0[x: 4, y: 4].red) }
    }

    /// Such as "1100|1".
    var look: String {
        let signs = shown.map { $0.map(String.init) ?? "-" }
        return signs.dropLast().joined() + "|" + (signs.last ?? "")
    }
}

extension TiledLayer where R == BitmapRenderer {
    /// The pixel of a tile that is shown at a point of the window; nil if none is.
    func pixel(x: Int, y: Int, in places: [PlacedTile]) -> Bitmap.Pixel? {
        let point = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
        guard let place = places.first(where: { $0.destination.intersection(point) != nil }),
            let bitmap = contents(of: place.id)
        else { return nil }
        let ratio = place.source.size.width / Double(place.destination.width)
        return bitmap[
            x: Int(place.source.minX + (Double(x - place.destination.minX) + 0.5) * ratio),
            y: Int(place.source.minY + (Double(y - place.destination.minY) + 0.5) * ratio)]
    }
}
