import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools
import TiledLayers

/// What does a caret cost that blinks in an editor of 3840 × 2160 pixels?
///
/// Against one layer for all of it, which is drawn whole, and a loop that only wakes at each blink. The caret
/// is at another place after each ten blinks, so that it lies in one tile or across several as often as any
/// caret does.
struct TiledCaret: Benchmark {
    private static let whole = "AsyncLayer, drawn whole"
    private static let loop = "the loop alone"

    let metrics = [
        Metric(
            "caret", unit: "µs/blink", ours: Tiled.ours,
            summary:
                "A caret of 20 × 40 pixels blinks 60 times a second in an editor of 3840 × 2160 with 200 lines: processor time of all threads but the main one. Bar: 2 % of AsyncLayer's, drawn whole."
        ),
        Metric(
            "caret-written", unit: "KiB/blink", ours: Tiled.ours,
            summary: "In the same editor: the bytes of the pictures that were drawn. Bar: 2 % of the whole."),
        Metric(
            "caret-upload", unit: "KiB/blink", ours: Tiled.ours,
            summary: "In the same editor: the bytes of the pixels to upload. Bar: 2 % of the whole."),
        Metric(
            "caret-main", unit: "µs/blink", ours: Tiled.ours,
            summary:
                "In the same editor: processor time of the main thread, its loop's sleeping and waking included. Bar: 60 µs."
        ),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial { try measure(TiledEditor($0), blinks: $1.pick(quick: 20, full: 120)) },
        Tiled.trial(whole) { try measure(WholeEditor($0), blinks: $1.pick(quick: 5, full: 40)) },
        Tiled.trial(loop) { try measure(NoEditor(), blinks: $1.pick(quick: 20, full: 120)) },
    ]

    @MainActor
    private static func measure(_ editor: any Editor, blinks: Int) throws -> [Reading] {
        try editor.open()
        // Twice, so that all that is done for the first time is done.
        for _ in 0..<2 {
            editor.blink(Rect(size: EditorText.caretSize))
            try MainLoop.run(until: "a blink is shown") { !editor.isBehind }
            editor.takeFrame()
        }
        var generator = SeededGenerator(seed: 60)
        var caret = Rect(size: EditorText.caretSize)
        let (written, uploaded) = (editor.writtenBytes, editor.uploadedBytes)
        let (all, main) = (Clock.processorTime, Clock.threadTime)
        var next = Clock.now
        for blink in 0..<blinks {
            if blink.isMultiple(of: 10) {
                caret.origin = Point(
                    x: Double.random(in: 0...EditorText.size.width - 20, using: &generator).rounded(),
                    y: Double.random(in: 0...EditorText.size.height - 40, using: &generator).rounded())
            }
            editor.blink(caret)
            next = max(next + 16_666_667, Clock.now)
            MainLoop.run(until: next)
            let deadline = Clock.now + 10_000_000_000
            while editor.isBehind {
                guard Clock.now < deadline else { throw MeasuringError("a blink was not shown within 10 s") }
                MainLoop.handleNext()
            }
            editor.takeFrame()
        }
        let mainTime = Clock.threadTime - main
        let workerTime = Clock.processorTime - all - mainTime
        MainLoop.settle()
        let count = Double(blinks)
        return [
            Double(workerTime) / 1_000 / count, Double(editor.writtenBytes - written) / 1_024 / count,
            Double(editor.uploadedBytes - uploaded) / 1_024 / count, Double(mainTime) / 1_000 / count,
        ].map { Reading($0) }
    }
}

@MainActor
private protocol Editor: AnyObject {
    func open() throws
    /// Shows the caret, or hides it.
    func blink(_ caret: Rect)
    /// Whether the last blink is not drawn yet.
    var isBehind: Bool { get }
    /// What a program does when it draws a frame.
    func takeFrame()
    var writtenBytes: Int { get }
    var uploadedBytes: Int { get }
}

private final class NoEditor: Editor {
    let isBehind = false
    let (writtenBytes, uploadedBytes) = (0, 0)
    func open() {}
    func blink(_ caret: Rect) {}
    func takeFrame() {}
}

private final class TiledEditor: Editor {
    private var text = EditorText()
    private let page: TiledPage
    private(set) var isBehind = false
    private(set) var uploadedBytes = 0

    init(_ pool: DefaultQueuePool) {
        page = TiledPage(EditorText.size, pool) { [text] in text.draw($1.area, into: $0) }
        page.layer.onChange = { [unowned self] in isBehind = false }
    }

    func open() throws {
        try page.open(Rect(size: EditorText.size))
        takeFrame()
    }

    func blink(_ caret: Rect) {
        text.caret = text.caret == nil ? caret : nil
        page.draw = { [text] in text.draw($1.area, into: $0) }
        isBehind = true
        page.layer.setNeedsDisplay(in: caret)
    }

    func takeFrame() {
        for (_, pixels) in page.layer.takeChanges().changed { uploadedBytes += pixels.area * 4 }
    }

    var writtenBytes: Int { page.drawn.byteCount }
}

private final class WholeEditor: Editor, AsyncLayerDelegate {
    private var text = EditorText()
    private let layer: AsyncLayer<BitmapRenderer>
    private let drawn = DrawnPictures()
    private(set) var isBehind = false
    private(set) var uploadedBytes = 0

    init(_ pool: DefaultQueuePool) {
        layer = AsyncLayer(renderer: BitmapRenderer(), host: DisplayHost(pool: pool))
        layer.size = EditorText.size
        layer.delegate = self
        layer.onContentsChange = { [unowned self] _ in isBehind = false }
    }

    func displayTask(for _: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { [text, drawn] context, _ in
            drawn.add(Tiled.byteCount(of: context))
            text.draw(Rect(size: EditorText.size), into: context)
        }
    }

    private func display() {
        isBehind = true
        layer.setNeedsDisplay()
    }

    func open() throws {
        display()
        try MainLoop.run(until: "the editor is shown") { !isBehind }
        MainLoop.settle()
    }

    func blink(_ caret: Rect) {
        text.caret = text.caret == nil ? caret : nil
        display()
    }

    func takeFrame() {
        guard let contents = layer.contents else { return }
        uploadedBytes += contents.pixelWidth * contents.pixelHeight * 4
    }

    var writtenBytes: Int { drawn.byteCount }
}
