import AsyncLayers
import BitmapRendering
import Synchronization
import TestSupport
import Testing

@testable import TiledLayers

/// A program that edits cells, moves, zooms and releases at random, and looks at each frame as a user does.
///
/// Its oracles: no cell in view goes back to an older state or to none; no cell that was shown pixel by pixel
/// is blurred while the view keeps its scale; no edit of a cell that is seen takes longer than a limit; and
/// at rest the memory is within its limit and the cells are those of the content.
@MainActor
final class TileExplorer: TiledLayerDelegate {
    nonisolated static let extent = 40.0
    nonisolated static let (columns, rows) = (40, 30)
    nonisolated static let (width, height) = (320, 240)

    /// What a frame shows of a cell.
    private struct Sight: Equatable {
        let number: Int
        /// Whether a pixel of the tile is one of the view, and its level the wanted one: not so in a zoom.
        let isSharp: Bool
    }

    /// An edit that is not shown yet.
    private struct Pending {
        let number: Int
        let time: Duration
        /// How many tiles it has changed, at most.
        let tileCount: Int
        /// How many edits had been drawn before.
        let formerDraws: Int
    }

    let layer: TiledLayer<BitmapRenderer>
    let host: DisplayHost
    /// Called on a pool thread as a tile is drawn.
    var whileDrawing: (@Sendable () -> Void)?
    /// The longest time from an edit to its picture, if so many tiles were edited meanwhile; nil: any time,
    /// and any number of edits.
    var longestWait: ((_ tileCount: Int) -> Duration)?
    private var editCount = 0
    private let seed: UInt64
    private var generator: SeededGenerator
    /// The last edit of each cell.
    private var numbers = [Int](repeating: 0, count: columns * rows)
    private var pending: [Int: Pending] = [:]
    /// The pictures that the program has taken: as they were then.
    private var textures: [TileID: Bitmap] = [:]
    private var former: [Int: Sight] = [:]
    private var visible = Rect(x: 400, y: 300, width: 320, height: 240)
    private var scale = 1.0
    private let viewBytes: Int

    init(host: DisplayHost, seed: UInt64) {
        (self.host, self.seed) = (host, seed)
        generator = SeededGenerator(seed: seed)
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Self.size, tileExtent: 64, host: host)
        viewBytes = (Self.width / 64 + 2) * (Self.height / 64 + 2) * 66 * 66 * 4
        layer.delegate = self
        layer.onFailure = { Issue.record($0) }
        show(isMoving: false)
    }

    private static var size: Size {
        Size(width: Double(columns) * extent, height: Double(rows) * extent)
    }

    private nonisolated static func frame(_ cell: Int) -> Rect {
        Rect(
            x: Double(cell % columns) * extent, y: Double(cell / columns) * extent, width: extent,
            height: extent)
    }

    /// The cells that an area touches, in their order.
    private nonisolated static func cells(in area: Rect) -> [Int] {
        func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
            let (first, last) = (Int((start / extent).rounded(.down)), Int((end / extent).rounded(.up)))
            return max(0, min(first, count))..<max(0, min(last, count))
        }
        let across = range(area.minX, area.maxX, columns)
        return range(area.minY, area.maxY, rows).flatMap { row in across.map { row * columns + $0 } }
    }

    func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [numbers, whileDrawing] context, scope in
            whileDrawing?()
            for cell in Self.cells(in: scope.area) {
                let number = numbers[cell]
                let color = Color(
                    red: Double(number & 255) / 255, green: Double(number >> 8) / 255, blue: 0.5, alpha: 1)
                context.fill(Self.frame(cell), with: .color(color))
            }
        }
    }

    // MARK: What the program does

    /// Does something, by chance.
    func act() {
        switch random(20) {
        case 0...7: edit()
        case 8...12:
            let distance = Point(x: Double(random(129) - 64), y: Double(random(97) - 48))
            visible = visible.moved(by: distance * (1 / scale))
            show(isMoving: random(3) > 0)
        case 13, 14:
            scale = [0.25, 0.5, 1, 1.5, 2][random(5)]
            let size = Size(width: Double(Self.width), height: Double(Self.height)) * (1 / scale)
            visible = Rect(center: visible.center, size: size)
            // Another scale is blurred at first.
            former = former.mapValues { Sight(number: $0.number, isSharp: false) }
            pending = [:]
            show(isMoving: random(2) == 0)
        case 15: layer.trim(toBytes: [0, 500_000][random(2)])
        case 16: layer.byteLimit = [0, viewBytes * 2, 256 << 20][random(3)]
        case 17:
            // The view may be blank until the tiles are there again.
            if random(10) == 0 {
                (textures, former, pending) = ([:], [:], [:])
                layer.forgetUploads()
            }
        default: takeFrame()
        }
    }

    private func show(isMoving: Bool) {
        visible.origin = Point(
            x: (min(max(0, visible.minX), Self.size.width - 80) * scale).rounded() / scale,
            y: (min(max(0, visible.minY), Self.size.height - 60) * scale).rounded() / scale)
        do { try layer.show(visible, scale: scale, isMoving: isMoving) } catch { Issue.record(error) }
        // A cell that leaves the view, also between two frames, may be blank when it comes back.
        former = former.filter { isInView($0.key) }
        pending = pending.filter { isInView($0.key) }
    }

    /// Paints a cell: mostly one that is in view, and if waits are limited no other one before it is seen.
    private func edit() {
        var cell = random(numbers.count)
        if random(4) > 0, let seen = former.keys.sorted().randomElement(using: &generator) { cell = seen }
        if longestWait != nil, !pending.isEmpty { return }
        editCount += 1
        numbers[cell] = editCount
        if former[cell]?.isSharp == true {
            pending[cell] = Pending(
                number: editCount, time: host.loop.now, tileCount: tileCount(of: Self.frame(cell)),
                formerDraws: editDraws.ended)
        }
        layer.setNeedsDisplay(in: Self.frame(cell))
    }

    /// How many draws of edits have ended, and are under way.
    private var editDraws: (ended: Int, running: Int) {
        (layer.statistics.draws[.damage] ?? 0, layer.pipeline.drawingCount { $0 == .damage })
    }

    /// As many tiles as change with a rectangle, at most.
    private func tileCount(of rect: Rect) -> Int {
        func count(_ start: Double, _ end: Double) -> Int {
            // The outsets are a point and a pixel, and a pixel around a tile is in its picture.
            func tile(_ value: Double, _ reach: Double) -> Int {
                Int(((value + reach) * scale + reach * 2) / 64)
            }
            return tile(end, 1) - max(0, tile(start, -1)) + 1
        }
        return count(rect.minX, rect.maxX) * count(rect.minY, rect.maxY)
    }

    // MARK: What the user sees

    /// Composes a frame, and compares it with the last one.
    func takeFrame() {
        let changes = layer.takeChanges()
        for id in changes.removed { textures[id] = nil }
        for id in changes.added + changes.changed.map(\.id) { textures[id] = layer.contents(of: id) }
        let seen = look(at: changes)
        let present = seen.compactMapValues(\.self)
        for (cell, before) in former {
            guard let now = seen[cell] else {
                Issue.record("seed \(seed): cell \(cell) showed \(before.number), and is blank")
                continue
            }
            guard let now else { continue }
            if now.number < before.number {
                Issue.record("seed \(seed): cell \(cell) showed \(before.number), and now \(now.number)")
            }
            if before.isSharp, !now.isSharp { Issue.record("seed \(seed): cell \(cell) is blurred") }
        }
        let draws = editDraws
        for (cell, edit) in pending {
            // An edit waits for other edits, and for nothing else.
            let count = max(edit.tileCount, draws.ended - edit.formerDraws + draws.running)
            let wait = host.loop.now - edit.time
            let isShown = present[cell].map { $0.number >= edit.number } ?? false
            if let longestWait, wait > longestWait(count) {
                Issue.record("seed \(seed): cell \(cell) has waited for \(wait)")
            }
            if isShown { pending[cell] = nil }
        }
        former = present
    }

    private func middle(_ cell: Int) -> (x: Int, y: Int) {
        let middle = Self.frame(cell).center
        return (
            Int(((middle.x - visible.minX) * scale).rounded(.down)),
            Int(((middle.y - visible.minY) * scale).rounded(.down))
        )
    }

    private func isInView(_ cell: Int) -> Bool {
        let (x, y) = middle(cell)
        return (2..<Self.width - 2).contains(x) && (2..<Self.height - 2).contains(y)
    }

    /// What is shown at the middle of each cell in view; nil if the pixels there are those of several
    /// pictures: edges of stretched tiles are rounded.
    private func look(at changes: TileChanges) -> [Int: Sight?] {
        var result: [Int: Sight?] = [:]
        for cell in Self.cells(in: visible) where isInView(cell) {
            let (x, y) = middle(cell)
            let around = PixelRect(minX: x - 1, minY: y - 1, maxX: x + 2, maxY: y + 2)
            let places = changes.placed.filter { $0.destination.intersection(around) != nil }
            let first = look(x - 1, y - 1, at: places)
            let isUniform = (-1...1).allSatisfy { dy in
                (-1...1).allSatisfy { dx in look(x + dx, y + dy, at: places) == first }
            }
            if !isUniform { result[cell] = .some(nil) } else if let first { result[cell] = first }
        }
        return result
    }

    private func look(_ x: Int, _ y: Int, at places: [PlacedTile]) -> Sight? {
        func contains(_ rect: PixelRect) -> Bool {
            (rect.minX..<rect.maxX).contains(x) && (rect.minY..<rect.maxY).contains(y)
        }
        guard let place = places.first(where: { contains($0.destination) }), let bitmap = textures[place.id]
        else { return nil }
        let (source, destination) = (place.source, place.destination)
        let ratio = source.size.width / Double(destination.width)
        func coordinate(_ value: Int, _ start: Int, _ origin: Double, _ ratio: Double, _ end: Int) -> Int {
            min(max(0, Int(origin + (Double(value - start) + 0.5) * ratio)), end - 1)
        }
        let column = coordinate(x, destination.minX, source.minX, ratio, bitmap.pixelWidth)
        let row = coordinate(
            y, destination.minY, source.minY, source.size.height / Double(destination.height),
            bitmap.pixelHeight)
        let color = bitmap.withUnsafeBytes {
            $0.bindMemory(to: UInt32.self)[row * bitmap.pixelWidth + column]
        }
        return Sight(
            number: Int(color & 255) + Int(color >> 8 & 255) << 8, isSharp: ratio == 1 && place.isSharp)
    }

    // MARK: At rest

    /// Ends all movement; to be checked when all wanted tiles have been drawn.
    func comeToRest() {
        layer.byteLimit = random(2) == 0 ? 0 : viewBytes * 2
        show(isMoving: false)
        takeFrame()
    }

    /// All is sharp, and as it was edited last, and the memory is within its limit.
    func checkRest() {
        takeFrame()
        #expect(layer.isComplete)
        for cell in Self.cells(in: visible) where isInView(cell) {
            #expect(former[cell]?.number == numbers[cell] && former[cell]?.isSharp == true)
        }
    }

    /// Whether more is kept than the limit, and than the tiles in view take.
    var isAboveMemoryLimit: Bool { layer.statistics.byteCount > max(layer.byteLimit, viewBytes) }
}
