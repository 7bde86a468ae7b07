import AsyncLayers
import BitmapRendering
import FeedKit
import QueuePools
import Synchronization
import Testing

@MainActor
@Suite("A cell")
struct LayerCellTests {
    private struct Unwell: Error {}

    private struct Layout: CellLayout {
        var number: Int
        var size = Size(width: 4, height: 3)
    }

    private struct Painter: CellPainter {
        let base = BitmapRenderer()

        func draw(_ layout: Layout, in context: BitmapContext, isCancelled: () -> Bool) throws {
            if layout.number < 0 { throw Unwell() }
            context.fill(with: .color(layout.number == 0 ? .black : .white))
        }
    }

    @MainActor
    private final class Log {
        var shown: [Int] = []
        var failed: [Int] = []
        var passes: [Pass] = []
    }

    private final class Pass: PassObserver {
        let events = Mutex<[String]>([])

        func begin() { events.withLock { $0.append("begin") } }
        func beginDrawing() { events.withLock { $0.append("draw") } }
        func end(_ outcome: DisplayOutcome) { events.withLock { $0.append("\(outcome)") } }
    }

    private let log = Log()
    private let cell: LayerCell<Painter>

    init() {
        let setting = LayerCell<Painter>.Setting(painter: Painter(), scale: 1, backgroundColor: .white)
        cell = LayerCell(
            setting,
            makePass: { [log] in
                log.passes.append(Pass())
                return log.passes[log.passes.count - 1]
            },
            pictureEnded: { [log] layout, error in
                if error == nil { log.shown.append(layout.number) } else { log.failed.append(layout.number) }
            })
    }

    /// Begins a pass by hand, and returns what reports its end.
    private func beginPass() throws -> @MainActor @Sendable (DisplayOutcome) -> Void {
        try #require(cell.displayTask(for: cell.layer)?.onEnd)
    }

    @Test("shows its row's picture, and its pass is observed")
    func shows() async throws {
        cell.show(Layout(number: 0))
        #expect(cell.isWaiting)
        #expect(cell.picture == nil)
        try await cell.layer.displayed()
        #expect(!cell.isWaiting)
        #expect(cell.picture?.pixelWidth == 4)
        #expect(log.shown == [0])
        #expect(log.passes.map { $0.events.withLock { $0 } } == [["begin", "draw", "committed"]])
        cell.recycle()
        #expect(cell.picture == nil)
        #expect(cell.layout == nil)
    }

    @Test("waits for its newest picture, with any outcome of older ones")
    func olderPasses() throws {
        cell.show(Layout(number: 0))
        let older = [try beginPass(), try beginPass()]
        cell.update(Layout(number: 0))
        let newest = try beginPass()
        older[0](.committed(isInterim: false))
        #expect(cell.isWaiting)
        #expect(log.shown == [0])
        older[1](.failed(Unwell()))
        #expect(cell.isWaiting)
        #expect(!cell.hasFailed)
        newest(.committed(isInterim: false))
        #expect(!cell.isWaiting)
    }

    @Test("waits on after a draft, for its picture in full")
    func draft() throws {
        cell.show(Layout(number: 0))
        try beginPass()(.committed(isInterim: true))
        #expect(cell.isWaiting)
        #expect(!cell.showsDraft, "nothing was drawn here")
        try beginPass()(.committed(isInterim: false))
        #expect(!cell.isWaiting)
    }

    @Test("is drawn first while its row is in view, and after the others before and after that")
    func tiers() throws {
        func tier() -> QoSTier? { cell.displayTask(for: cell.layer)?.qos }
        cell.show(Layout(number: 0), isInView: false)
        #expect(tier() == .default)
        cell.comeIntoView()
        #expect(tier() == .userInitiated)
        cell.leaveView()
        #expect(tier() == .default)
    }

    @Test("that is used again does not mistake the end of its former row's pass for its own")
    func recycled() throws {
        cell.show(Layout(number: 0))
        let former = try beginPass()
        cell.recycle()
        cell.show(Layout(number: 1))
        former(.failed(Unwell()))
        #expect(cell.isWaiting)
        #expect(log.failed.isEmpty)
    }

    @Test("releases the picture of its row before when it shows another row, not when its row changes")
    func anotherRow() async throws {
        cell.show(Layout(number: 0))
        try await cell.layer.displayed()
        cell.update(Layout(number: 0))
        #expect(cell.picture != nil)
        cell.show(Layout(number: 1))
        #expect(cell.picture == nil)
        #expect(cell.isWaiting)
        try await cell.layer.displayed()
        #expect(cell.picture != nil)
        #expect(log.shown.last == 1)
    }

    @Test("reports once that its picture cannot be drawn, and again when it is requested again")
    func failure() throws {
        cell.show(Layout(number: -1))
        for pass in [try beginPass(), try beginPass()] { pass(.failed(Unwell())) }
        #expect(!cell.isWaiting)
        #expect(cell.hasFailed)
        #expect(log.failed == [-1])
        cell.setNeedsDisplay()
        #expect(!cell.hasFailed)
        try beginPass()(.failed(Unwell()))
        #expect(log.failed == [-1, -1])
    }
}
