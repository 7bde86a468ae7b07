import AsyncLayers
import Testing

@MainActor
@Suite("A layer with a renderer of one's own", .timeLimit(.minutes(15)))
struct LayerTests {
    @Test("a text set on the main actor is drawn on the pool and shown")
    func firstPicture() async {
        let label = Label()
        label.text = "hello"
        #expect(label.lines == nil, "nothing is drawn before the turn ends")

        #expect(await label.outcomes.next() == "committed")
        #expect(label.lines == ["hello     "])
    }

    @Test("many changes in one turn are laid out once and drawn once, with the last values")
    func manyChanges() async {
        let label = Label()
        for number in 1...100 { label.text = "\(number)" }
        label.indentation = 2

        #expect(await label.outcomes.next() == "committed")
        #expect(label.lines == ["  100     "])
        #expect(label.layoutCount == 1)
    }

    @Test("a scale makes a finer picture of the same size in points")
    func scale() async {
        let label = Label("fine", columns: 3)
        label.layer.contentsScale = 2
        label.layer.display()

        #expect(await label.outcomes.next() == "committed")
        #expect(label.lines == ["fine  ", "      "])
    }

    @Test("an opaque layer is filled before it is drawn: with white, or with its background")
    func opaque() async {
        let label = Label("on")
        label.layer.background = .opaque()
        label.layer.display()
        #expect(await label.outcomes.next() == "committed")
        #expect(label.lines == ["on........"])

        label.layer.background = .opaque(.black)
        label.layer.display()
        #expect(await label.outcomes.next() == "committed")
        #expect(label.lines == ["on########"])
    }

    @Test("a draw that a newer text made stale stops early, and the newer text is shown")
    func superseded() async {
        let label = Label("new")
        // A layer that shows nothing yet has its first draw finished.
        label.layer.display()
        #expect(await label.outcomes.next() == "committed")
        let (starts, started) = AsyncStream<Void>.makeStream()
        label.draw = { canvas, scope in
            canvas.write("old")
            started.finish()
            // A long draw looks now and then whether it is still wanted. This one has nothing else to do.
            while true { try scope.checkCancellation() }
        }
        label.layer.display()
        for await _ in starts {}

        label.draw = nil
        label.layer.display()
        // Two passes on two threads: either may be the first to end.
        let outcomes = [await label.outcomes.next(), await label.outcomes.next()]
        #expect(outcomes.sorted() == ["committed", "superseded while drawing"])
        #expect(label.lines == ["new       "])
    }

    @Test("a draw that fails says why, and what was shown before stays")
    func failing() async {
        struct GlyphMissing: Error, CustomStringConvertible {
            let description = "there is no glyph for \u{FFFD}"
        }
        let label = Label("good")
        label.layer.display()
        #expect(await label.outcomes.next() == "committed")

        label.draw = { _, _ in throw GlyphMissing() }
        label.layer.display()
        #expect(await label.outcomes.next() == "failed: there is no glyph for \u{FFFD}")
        #expect(label.lines == ["good      "])
    }

    @Test("a size that cannot be drawn fails before any memory is taken")
    func impossibleSize() async {
        let label = Label(columns: .infinity)
        label.layer.display()
        #expect(await label.outcomes.next().hasPrefix("failed: a layer's size must be finite"))

        label.layer.size = Size(width: 1e6, height: 1e6)
        label.layer.display()
        #expect(await label.outcomes.next().hasPrefix("failed: the drawing would take"))
    }

    @Test("a host switches over the errors of a layer, and those that later versions add are unknown ones")
    func errors() {
        func advice(_ error: DisplayError) -> String {
            switch error {
            case .invalidSize, .invalidScale: "correct the geometry"
            case .tooManyPixels, .tooManyBytes, .treeTooDeep: "draw less"
            case .poolDroppedDraw: "the program ends"
            @unknown default: "log it"
            }
        }
        #expect(advice(.treeTooDeep(limit: 512)) == "draw less")
        #expect(advice(.poolDroppedDraw) == "the program ends")
    }

    @Test("a cancelled layer keeps what it shows")
    func cancelled() async {
        let label = Label("kept")
        label.layer.display()
        #expect(await label.outcomes.next() == "committed")

        label.draw = { canvas, _ in canvas.write("unwanted") }
        label.layer.display()
        label.layer.cancelDisplay()
        #expect(await label.outcomes.next().hasPrefix("cancelled"))
        #expect(label.lines == ["kept      "])
    }

    @Test("a layer that displays synchronously has its contents when display returns")
    func synchronous() {
        let label = Label("at once")
        label.layer.displaysAsynchronously = false
        label.layer.display()
        #expect(label.lines == ["at once   "])
    }
}
