import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools
import TiledLayers

/// Does an edit that lies across several tiles appear in one frame, and soon?
///
/// Each edit paints an area in one colour, which is the edit's number. A frame in which an area has two
/// colours is torn.
struct TiledEditStorm: Benchmark {
    let metrics = [
        Metric(
            "edit-storm-torn", unit: "frames", ours: Tiled.ours,
            summary:
                "Edits of areas across 1 to 6 tiles, one each frame at 60 Hz, with 1 ms to draw a tile: frames in which a part of an edit was shown. Bar: none."
        ),
        Metric(
            "edit-storm-frames", unit: "frames", ours: Tiled.ours,
            summary:
                "In the same storm: after how many frames at most an edit, or a later one of its area, was shown. Bar: 3."
        ),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial { pool, scale in
            let storm = EditedPage(pool)
            try storm.open()
            var next = Clock.now
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<scale.pick(quick: 60, full: 600) {
                storm.edit(Int.random(in: areas.indices, using: &generator))
                next = max(next + 16_666_667, Clock.now)
                MainLoop.run(until: next)
                try storm.takeFrame()
            }
            MainLoop.settle()
            try storm.takeFrame()
            guard storm.isCaughtUp else { throw MeasuringError("an edit was not shown at all") }
            return [storm.tornCount, storm.mostFrames].map { Reading(Double($0)) }
        }
    ]

    /// Side by side, across 1, 2, 3, 4, 6, 2 and 4 tiles of 256 × 256 pixels.
    fileprivate static let areas = [
        area(0, 0, 1, 1), area(1, 0, 2, 1), area(3, 0, 3, 1), area(0, 1, 2, 2), area(2, 1, 3, 2),
        area(5, 1, 1, 2), area(0, 3, 4, 1),
    ]

    private static func area(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> Rect {
        Rect(
            x: Double(column) * 256, y: Double(row) * 256, width: Double(columns) * 256,
            height: Double(rows) * 256
        ).inset(by: 20)
    }
}

@MainActor
private final class EditedPage {
    private let page: TiledPage
    /// The newest edit of each area.
    private var edits = TiledEditStorm.areas.map { _ in 0 }
    private var lastEdit = 0
    /// Edits that are not shown yet, and the frame before which they were made.
    private var waiting: [(number: Int, area: Int, frame: Int)] = []
    private var frame = 0
    private var textures: [TileID: Bitmap] = [:]
    private(set) var (tornCount, mostFrames) = (0, 0)

    init(_ pool: DefaultQueuePool) {
        page = TiledPage(Size(width: 4_000, height: 4_000), pool, draw: Self.draw(edits))
    }

    var isCaughtUp: Bool { waiting.isEmpty }

    func open() throws {
        try page.open(Rect(size: Tiled.window))
        try takeFrame()
    }

    func edit(_ area: Int) {
        lastEdit += 1
        edits[area] = lastEdit
        waiting.append((lastEdit, area, frame))
        page.draw = Self.draw(edits)
        page.layer.setNeedsDisplay(in: TiledEditStorm.areas[area])
    }

    private static func draw(_ edits: [Int]) -> TileDraw {
        { context, scope in
            Work.compute(milliseconds: 1) { scope.isCancelled }
            context.fill(with: .color(.white))
            for (area, edit) in zip(TiledEditStorm.areas, edits) where area.intersects(scope.area) {
                context.fill(area, with: .color(color(of: edit)))
            }
        }
    }

    private nonisolated static func color(of edit: Int) -> Color {
        func part(_ shift: Int) -> Double { Double(edit >> shift & 255) / 255 }
        return Color(red: part(16), green: part(8), blue: part(0), alpha: 1)
    }

    /// Uploads what has changed, and looks at what is placed.
    func takeFrame() throws {
        let changes = page.layer.takeChanges()
        for id in changes.removed { textures[id] = nil }
        for id in changes.added + changes.changed.map(\.id) { textures[id] = page.layer.contents(of: id) }
        frame += 1
        var isTorn = false
        for area in TiledEditStorm.areas.indices {
            let shown = try numbers(in: TiledEditStorm.areas[area], changes.placed)
            guard let oldest = shown.min() else { throw MeasuringError("an area is not in view") }
            if shown.count > 1 { isTorn = true }
            for edit in waiting where edit.area == area && edit.number <= oldest {
                mostFrames = max(mostFrames, frame - edit.frame)
            }
            waiting.removeAll { $0.area == area && $0.number <= oldest }
        }
        if isTorn { tornCount += 1 }
    }

    /// The edits whose colours an area has: at the corners and in the middle of each of its tiles.
    private func numbers(in area: Rect, _ placed: [PlacedTile]) throws -> Set<Int> {
        let pixels = PixelRect(
            minX: Int(area.minX), minY: Int(area.minY), maxX: Int(area.maxX), maxY: Int(area.maxY))
        var shown: Set<Int> = []
        for place in placed {
            guard let part = place.destination.intersection(pixels) else { continue }
            guard let texture = textures[place.id] else {
                throw MeasuringError("a tile is placed that was never added")
            }
            for x in [part.minX, (part.minX + part.maxX) / 2, part.maxX - 1] {
                for y in [part.minY, (part.minY + part.maxY) / 2, part.maxY - 1] {
                    let pixel = texture[
                        x: Int(place.source.minX) + x - place.destination.minX,
                        y: Int(place.source.minY) + y - place.destination.minY]
                    shown.insert(Int(pixel.red) << 16 | Int(pixel.green) << 8 | Int(pixel.blue))
                }
            }
        }
        return shown
    }
}
