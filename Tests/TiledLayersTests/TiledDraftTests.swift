import AsyncLayers
import BitmapRendering
import Foundation
import ManualPools
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

@Suite("Drafts of tiles")
@MainActor
struct TiledDraftTests {
    private let stage = DragStage()
    /// A draw that takes as long as its pixels.
    private let tileTime = DragStage.tileTime * (66.0 * 66.0 / (64.0 * 64.0))

    private func drafts(_ stage: DragStage) -> Int { stage.layer.statistics.draws[.draft] ?? 0 }

    private func drag(_ stage: DragStage, by speed: Double) -> (blank: DragStage.Blank, rest: Duration) {
        stage.drag(over: (0..<60).map { Double($0) * speed })
    }

    // MARK: What they are for

    @Test(
        "a scroll bar that is dragged by views a frame shows drafts, and then what is sharp as soon as without",
        arguments: [405.0, 810, 2_500])
    func dragged(speed: Double) {
        let plain = DragStage()
        plain.layer.draft = nil
        plain.open()
        let without = drag(plain, by: speed)
        #expect(without.blank.early > 0.95 && without.blank.late > 0.79)
        #expect(drafts(plain) == 0)

        stage.open()
        let with = drag(stage, by: speed)
        #expect(with.blank.early < 0.05 && with.blank.late < 0.01, "\(with.blank)")
        // Beyond the tiles in view, a draw of a draft; it is looked every millisecond.
        #expect(with.rest <= without.rest + tileTime + .milliseconds(1), "\(with.rest), \(without.rest)")
        #expect(stage.draws.elements.contains(1.0 / 8))
        #expect(stage.layer.takeChanges().coverage.sharp == 480 * 270)
        #expect("\(stage.layer.statistics)".contains("draft \(drafts(stage))"))
    }

    @Test("a scroll bar that is dragged to and fro shows drafts")
    func draggedToAndFro() {
        stage.open()
        let (blank, _) = stage.drag(over: (0..<120).map { 40_000 * (1 - cos(Double($0) / 20)) })
        #expect(blank.early < 0.2 && blank.late < 0.01, "\(blank)")
    }

    @Test("a view that jumps, and takes long, is a draft first, and sharp hardly later")
    func jump() {
        func open(_ stage: DragStage) -> (blankSeconds: Double, rest: Duration) {
            stage.open()
            let before = stage.layer.statistics.blankPixelSeconds
            let (_, rest) = stage.drag(over: [50_000])
            return (stage.layer.statistics.blankPixelSeconds - before, rest)
        }
        let plain = DragStage()
        plain.layer.draft = nil
        let (without, with) = (open(plain), open(stage))
        #expect(drafts(stage) > 0 && drafts(stage) <= 4)
        #expect(with.blankSeconds < without.blankSeconds / 2)
        #expect(with.rest <= without.rest + tileTime * drafts(stage) + .milliseconds(1))
    }

    // MARK: When there are none

    @Test("where what a draft takes depends on the content and not on the scale, nothing is lost")
    func contentBound() {
        let plain = DragStage()
        for stage in [plain, stage] { stage.areaShare = 1 }
        plain.layer.draft = nil
        // Two drafts.
        for stage in [plain, stage] { stage.open(at: 400) }
        // The first one is alone.
        #expect(stage.draws.elements.count { $0 < 1 } == 1)
        let (without, with) = (drag(plain, by: 810), drag(stage, by: 810))
        #expect(with.blank.early <= without.blank.early + 0.02)
        #expect(with.blank.late <= without.blank.late + 0.02)
        #expect(with.rest <= without.rest + .milliseconds(1))
        #expect(drafts(stage) <= 1)
    }

    @Test("a first view that is fast, a movement that is kept up with, and edits of any size have no drafts")
    func shortQueue() {
        stage.tileTime = .microseconds(700)
        stage.open()
        _ = stage.drag(over: (0..<60).map { Double($0) * 8 })
        stage.tileTime = DragStage.tileTime
        for size in [Size(width: 2, height: 20), stage.window] {
            stage.layer.setNeedsDisplay(in: Rect(center: Point(x: 240, y: 600), size: size))
            stage.simulation.advance(by: .seconds(1))
        }
        stage.layer.setNeedsDisplay()
        stage.simulation.advance(by: .seconds(1))
        #expect(stage.layer.isComplete && drafts(stage) == 0)
    }

    @Test("nothing is drawn at rest")
    func atRest() {
        stage.open()
        _ = drag(stage, by: 810)
        let draws = stage.draws.elements.count
        stage.simulation.advance(by: .seconds(10))
        #expect(stage.draws.elements.count == draws)
        #expect(stage.layer.pipeline.drawing.isEmpty)
    }

    @Test("an overview serves where it is, and no draft is drawn there")
    func overview() {
        let stage = DragStage(content: Size(width: 480, height: 60_000))
        stage.layer.overviewScale = 1.0 / 16
        stage.open()
        stage.simulation.advance(by: .seconds(1))
        let before = drafts(stage)
        let (blank, _) = drag(stage, by: 810)
        #expect(drafts(stage) == before)
        #expect(blank.early == 0)
    }

    @Test(
        "no drafts are drawn with a fraction that is none", arguments: [nil, .nan, 0, -0.25, 0.51, .infinity])
    func noFraction(draft: Double?) {
        stage.layer.draft = draft
        #expect(stage.layer.draft == nil)
        stage.open()
        _ = drag(stage, by: 810)
        #expect(drafts(stage) == 0)
    }

    @Test("no draft is coarser than the program's fraction")
    func fraction() {
        #expect(stage.layer.draft == 1.0 / 16)
        stage.layer.draft = 0.25
        stage.open()
        _ = drag(stage, by: 405)
        #expect(stage.draws.elements.allSatisfy { $0 >= 0.25 })
    }

    // MARK: Combinations

    @Test("a view that is zoomed out to the drafts of a drag finds them")
    func zoomOut() {
        stage.open()
        _ = drag(stage, by: 810)
        let draws = drafts(stage)
        stage.show(59 * 810, scale: 1.0 / 8)
        stage.simulation.flush()
        #expect(stage.layer.takeChanges().coverage.sharp > 0)
        stage.simulation.advance(by: .seconds(1))
        #expect(stage.layer.isComplete && drafts(stage) >= draws)
    }

    @Test("drafts that fail are not tried again, and the sharp tiles come")
    func failure() {
        struct Failure: Error {}
        stage.draftError = Failure()
        var failures = 0
        stage.layer.onFailure = { _ in failures += 1 }
        stage.open()
        let first = failures
        let (_, rest) = stage.drag(over: [50_000])
        #expect(failures > first && failures <= first + 4)
        #expect(rest < .milliseconds(200))
        #expect(stage.layer.statistics.failures == failures && drafts(stage) == 0)
        #expect(stage.layer.isComplete && stage.layer.takeChanges().coverage.sharp == 480 * 270)
    }

    @Test("edits in a drag are shown, and no place goes back", arguments: [false, true])
    func edits(isWhole: Bool) {
        stage.open()
        let (stage, screen) = (stage, ShadowScreen(stage.layer))
        stage.layer.forgetUploads()
        stage.takeFrame = {
            screen.drawFrame(width: 480, height: 270)
            return screen.newest
        }
        let former = Recorder<[Int]>()
        _ = stage.drag(over: (0..<16).map { Double($0 / 4) * 810 }) { frame in
            let shades = stride(from: 5, to: 480 * 270, by: 480 * 9 + 31).map { place in
                screen.red(x: place % 480, y: place / 480)
            }
            // The view is that of the frame before.
            if frame % 4 > 0, let former = former.takeAll().last {
                for (new, old) in zip(shades, former) { #expect(new >= old, "frame \(frame)") }
            }
            former.append(shades)
            stage.shade += 1
            let edited = Rect(x: 0, y: Double(frame / 4) * 810 - 500, width: 480, height: 600)
            if isWhole { stage.layer.setNeedsDisplay() } else { stage.layer.setNeedsDisplay(in: edited) }
        }
        _ = stage.takeFrame()
        #expect(screen.red(x: 240, y: 10) == stage.shade)
        #expect(stage.layer.isComplete && drafts(stage) > 0)
    }

    @Test("each edit is shown after a view that was a draft first")
    func editsAfterDraft() {
        let stage = stage
        var changes = 0
        stage.layer.onChange = { changes += 1 }
        stage.open(at: 50)
        stage.tileTime = .microseconds(100)
        #expect(drafts(stage) > 0)
        for edit in 0..<30 {
            changes = 0
            stage.layer.setNeedsDisplay(in: Rect(x: 40, y: 100 + Double(edit), width: 2, height: 20))
            stage.simulation.advance(by: .milliseconds(16))
            #expect(changes == 1)
            #expect(stage.layer.takeChanges().coverage.stale == 0)
        }
    }

    @Test("drafts of what comes next keep to the limit of memory", arguments: [0, 60, 100])
    func memory(tiles: Int) {
        let tileBytes = 66 * 66 * 4
        stage.layer.byteLimit = tiles * tileBytes
        stage.open()
        var most = 0
        let stage = stage
        let (blank, _) = stage.drag(over: (0..<60).map { Double($0) * 810 }) { _ in
            most = max(most, stage.layer.statistics.byteCount)
        }
        // Tiles in view, on show, or being drawn: 48 tiles, drafts of two views, and draws of tiles passed.
        #expect(most <= max(tiles, 48 + 8 + 16) * tileBytes, "\(most / tileBytes) tiles")
        #expect(blank.late < 0.2)
        #expect((blank.early < 0.1) == (tiles > 0), "\(blank)")
        // The tiles that were on show until this frame go.
        _ = stage.layer.takeChanges()
        stage.simulation.advance(by: .seconds(1))
        #expect(stage.layer.statistics.byteCount <= max(tiles, 48) * tileBytes)
    }

    @Test("of a view, nothing sharper gives its place to something coarser", arguments: 1...UInt64(8))
    func blur(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        stage.open()
        var (y, scale) = (0.0, 1.0)
        var former: (y: Double, scale: Double, qualities: [Double])?
        for _ in 0..<200 {
            switch random(0...11) {
            case 0...2: y = max(0, y + Double(random(-3...3)) * 170)
            case 3: scale = random(0...1) == 0 ? 1 : 2
            default: break
            }
            // With edits it is the wanted tile that stays.
            let isEdited = seed % 2 == 0
            if isEdited, random(0...2) == 0 {
                stage.shade = stage.shade % 200 + 1
                stage.layer.setNeedsDisplay(
                    in: Rect(x: 0, y: y + Double(random(-100...100)), width: 480, height: 250))
            }
            stage.show(y, scale: scale, isMoving: random(0...1) == 0)
            for _ in 0..<random(1...12) where !stage.simulation.step() { break }
            let qualities = shownQualities(scale)
            if let former, (former.y, former.scale) == (y, scale) {
                for (new, old) in zip(qualities, former.qualities) where old == 1 || !isEdited {
                    #expect(new >= old)
                }
            }
            former = (y, scale, qualities)
        }
        #expect(drafts(stage) > 0)
        stage.show(y, scale: scale)
        stage.simulation.advance(by: .seconds(2))
        #expect(stage.layer.isComplete)
    }

    @Test("a draft with an edit does not cover a sharp tile on show that lacks it")
    func editBesideDraft() {
        stage.layer.draft = nil
        stage.open()
        stage.layer.draft = 1.0 / 16
        stage.layer.pipeline.drawTimes.drew(in: tileTime, because: .draft, content: 64, isStopped: false)
        stage.show(230)
        _ = stage.layer.takeChanges()
        // The tiles that were in view, and around it: more than the draws that are before the draft.
        stage.layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 480, height: 380))
        var wasStale = false
        for _ in 0..<400 {
            stage.simulation.step()
            let changes = stage.layer.takeChanges()
            wasStale = wasStale || changes.coverage.stale > 0 && drafts(stage) > 0
            let former = PixelRect(minX: 0, minY: 0, maxX: 480, maxY: 270 - 230)
            let sharp = changes.placed.filter(\.isSharp).compactMap {
                $0.destination.intersection(former)?.area
            }
            #expect(sharp.reduce(0, +) == former.area)
        }
        #expect(wasStale)
    }

    /// How near the scale of the shown tiles is to the wanted one, at places of the view: 0 is nothing.
    private func shownQualities(_ wanted: Double) -> [Double] {
        let placed = stage.layer.takeChanges().placed
        return stride(from: 5, to: 480 * 270, by: 480 * 9 + 31).map { place in
            let (x, y) = (place % 480, place / 480)
            let pixel = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
            let shown = placed.first { $0.destination.intersection(pixel) != nil }
            guard let shown, let tile = stage.layer.pipeline.tiles[shown.id] else { return 0 }
            return min(tile.grid.scale / wanted, wanted / tile.grid.scale)
        }
    }

    /// A layer whose draws wait until the test runs them, and are known to take long.
    private func makeLayer(_ pool: ManualPool, _ content: PlainShade) -> TiledLayer<BitmapRenderer> {
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 16_000, height: 16_000), tileExtent: 64,
            host: TiledPolicyTests.host(pool, stage.simulation))
        layer.delegate = content
        layer.pipeline.drawTimes.drew(in: .milliseconds(50), because: .first, isStopped: false)
        return layer
    }

    @Test("drafts do not wait behind an overview that is being drawn")
    func overviewInFlight() throws {
        let (pool, content) = (try ManualPool(queuesPerTier: 2), PlainShade())
        let layer = makeLayer(pool, content)
        layer.overviewScale = 1.0 / 16
        try layer.show(Rect(x: 1_024, y: 1_024, width: 384, height: 320), scale: 1)
        for _ in 0..<10 {
            stage.simulation.advance(by: .milliseconds(1))
            for tier in [QoSTier.userInteractive, .userInitiated, .utility] { pool.runAll(qos: tier) }
        }
        #expect(layer.isComplete && pool.statistics[.background].waiting == 16)
        // They have taken no time.
        layer.pipeline.drawTimes.drew(in: .seconds(1), because: .first, isStopped: false)
        try layer.show(Rect(x: 3_072, y: 3_072, width: 384, height: 320), scale: 1)
        stage.simulation.advance(by: .milliseconds(1))
        #expect(pool.statistics[.userInteractive].waiting == 1)
        TiledPolicyTests.end(pool, stage.simulation)
    }

    @Test("drafts of a place that the view has left are not drawn")
    func passed() throws {
        let (pool, content) = (try ManualPool(queuesPerTier: 2), PlainShade())
        let layer = makeLayer(pool, content)
        for x in [1_024.0, 2_048] {
            try layer.show(Rect(x: x, y: 1_024, width: 384, height: 320), scale: 1)
            stage.simulation.advance(by: .milliseconds(1))
            #expect(pool.statistics[.userInteractive].waiting == 1)
            // More than one may be drawn at a time.
            layer.pipeline.drawTimes.drew(
                in: .milliseconds(50), because: .draft, content: 64, isStopped: false)
        }
        TiledPolicyTests.end(pool, stage.simulation)
    }

    @Test("where a tier of the pool is full, drafts and sharp tiles come in the end")
    func fullTier() throws {
        let (pool, content) = (try ManualPool(queuesPerTier: 2, capacity: .each(1)), PlainShade())
        let layer = makeLayer(pool, content)
        try layer.show(Rect(x: 1_024, y: 1_024, width: 384, height: 320), scale: 1)
        for _ in 0..<2_000 where !layer.isComplete {
            stage.simulation.advance(by: .milliseconds(1))
            pool.runAll()
        }
        #expect(layer.isComplete)
        #expect(layer.statistics.draws[.draft] ?? 0 > 0)
        TiledPolicyTests.end(pool, stage.simulation)
    }
}
