import Testing

@testable import BenchmarkHarness

@Suite struct ProgressTests {
    private final class Output {
        var text = ""
    }

    @Test func onATerminalABarGrowsOnOneLineAndIsTakenAway() {
        let output = Output()
        let progress = Progress(total: 4, isTerminal: true) { output.text += $0 }
        progress.begin("selection")
        progress.advance(by: 1)
        progress.advance(by: 3)
        progress.end(contenders: 3, seconds: 1)
        #expect(output.text.contains("[..............................] 0 % selection"))
        #expect(output.text.contains("[#######.......................] 25 % selection"))
        #expect(output.text.contains("[##############################] 100 % selection"))
        #expect(!output.text.contains("\n"))
        #expect(output.text.hasSuffix(" \r"))
    }

    @Test func elsewhereEachBenchmarkIsALine() {
        let output = Output()
        let progress = Progress(total: 4, isTerminal: false) { output.text += $0 }
        progress.begin("selection")
        progress.advance(by: 4)
        progress.end(contenders: 3, seconds: 1.234)
        #expect(output.text == "selection: 3 contenders, 1.23 s\n")
    }
}
