import ArgumentParser
import Foundation
import Testing

@testable import BenchmarkHarness
@testable import PoolBenchmarks

@Suite struct OptionTests {
    @Test(arguments: [
        ["--rounds", "0"], ["--rounds", "many"], ["--rounds", "1001"], ["--rounds"], ["--workers", "0"],
        ["--workers", "65"], ["--seed", "-1"], ["--filter", "("], ["--filter", "no such benchmark"],
        ["--json", ""],
        ["--json", "/"], ["--svg", "/no/such/folder/picture.svg"], ["--json", "same", "--svg", "same"],
        ["--frobnicate"],
        ["unexpected"],
    ])
    func nonsenseIsRefusedWithStatus64AndAMessage(arguments: [String]) {
        do {
            _ = try PoolBenchmarks.parse(arguments)
            Issue.record("\(arguments) were accepted")
        } catch {
            #expect(PoolBenchmarks.exitCode(for: error).rawValue == 64)
            #expect(PoolBenchmarks.message(for: error).count > 10)
        }
    }

    @Test func whatMakesSenseIsAccepted() throws {
        let options = try PoolBenchmarks.parse([
            "--quick", "--filter", "empty-job", "--rounds", "2", "--workers", "3", "--json", "/dev/null",
            "--short-slice",
        ]).options
        #expect(options.quick)
        #expect(options.rounds == 2)
        #expect(options.workers == 3)
        #expect(options.shortSlice)
    }

    @Test func helpEndsWell() {
        do {
            _ = try PoolBenchmarks.parse(["--help"])
            Issue.record("help is no run")
        } catch {
            #expect(PoolBenchmarks.exitCode(for: error) == .success)
            let help = PoolBenchmarks.fullMessage(for: error)
            for option in [
                "--filter", "--quick", "--json", "--svg", "--rounds", "--workers", "--seed", "--short-slice",
                "--list",
            ] {
                #expect(help.contains(option))
            }
        }
    }
}
