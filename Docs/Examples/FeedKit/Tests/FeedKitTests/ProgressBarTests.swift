import FeedKit
import Testing

@Suite("Progress bar")
struct ProgressBarTests {
    private final class Output {
        var text: [String] = []
    }

    @Test("It writes at most ten times a second")
    func rate() {
        let output = Output()
        var bar = ProgressBar(isActive: true) { output.text.append($0) }
        for frame in 0...1_000 {
            bar.update("layered", done: frame, of: 1_000, now: UInt64(frame) * 1_000_000)
        }
        #expect(output.text.count == 11)
        #expect(output.text.last == "\rlayered [############################] 100 %")
    }

    @Test("A shorter line covers what a longer one left, and the end clears the line")
    func clears() {
        let output = Output()
        var bar = ProgressBar(isActive: true) { output.text.append($0) }
        bar.update("synchronous", done: 0, of: 2, now: 0)
        bar.update("layered", done: 1, of: 2, now: ProgressBar.interval)
        #expect(output.text[1] == "\rlayered [##############..............] 50 %   ")
        bar.finish()
        let blank = String(repeating: " ", count: output.text[1].count - 1)
        #expect(output.text[2].count <= blank.count + 2)
        #expect(output.text[2].allSatisfy { $0 == " " || $0 == "\r" })
        bar.finish()
        #expect(output.text.count == 3)
    }

    @Test("Nothing is written when standard error is no terminal")
    func inactive() {
        let output = Output()
        var bar = ProgressBar(isActive: false) { output.text.append($0) }
        bar.update("layered", done: 1, of: 2, now: 0)
        bar.finish()
        #expect(output.text.isEmpty)
    }

    @Test("Counts that make no sense do no harm", arguments: [(5, 0), (-1, 10), (20, 10)])
    func nonsense(done: Int, total: Int) {
        let output = Output()
        var bar = ProgressBar(isActive: true) { output.text.append($0) }
        bar.update("x", done: done, of: total, now: .max)
        bar.update("x", done: done, of: total, now: .max)
        #expect(output.text.count >= 1)
    }
}
