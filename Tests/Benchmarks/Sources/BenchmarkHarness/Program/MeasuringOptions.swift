import ArgumentParser
import QueuePools

/// The options of every measuring program.
package struct MeasuringOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measure only what this regular expression finds in \"benchmark/contender\".",
            discussion: "What the others are compared with is measured along.",
            valueName: "expression"))
    package var filter: String?

    @Flag(help: "Fewer jobs and rounds: under 60 seconds for everything.")
    package var quick = false

    @Option(
        help: ArgumentHelp("Rounds of every benchmark, 1 to 1,000. (default: 5 to 15; with --quick, 1 to 3)"))
    package var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "Workers of each contender in each tier, 1 to 64. (default: the cores that can be used)"))
    package var workers: Int?

    @Option(help: "Chooses the order of the contenders within the rounds.")
    package var seed: UInt64 = 1

    @Flag(
        help: ArgumentHelp(
            "Give the submitting thread a slice of 0.1 ms.",
            discussion:
                "As ThreadScheduling().applyToCurrentThread() does for a main thread. Linux 6.12 and later."))
    package var shortSlice = false

    @Option(
        help: ArgumentHelp("Write the results to this file, as a JSON array of objects.", valueName: "file"))
    package var json: String?

    @Option(help: ArgumentHelp("Write a picture of the results to this file, as SVG.", valueName: "file"))
    package var svg: String?

    @Flag(help: "List the benchmarks and their contenders, and end.")
    package var list = false

    package init() {}

    package func validate() throws {
        if let rounds, !(1...1_000).contains(rounds) {
            throw ValidationError("--rounds must be a whole number from 1 to 1000, not \(rounds)")
        }
        let limit = QueuePoolOptions.queuesPerTierLimit
        if let workers, !(1...limit).contains(workers) {
            throw ValidationError("--workers must be a whole number from 1 to \(limit), not \(workers)")
        }
        for (option, path) in [("--json", json), ("--svg", svg)] {
            if let path { try OutputFile.check(path, option: option) }
        }
        if let json, json == svg { throw ValidationError("--json and --svg name the same file, \(json)") }
    }

    /// The command as a reader can repeat it: without the path, and without the names of files.
    func command(of program: String) -> String {
        var words = [program]
        if let filter { words += ["--filter", "'\(filter)'"] }
        if quick { words.append("--quick") }
        if let rounds { words += ["--rounds", String(rounds)] }
        if let workers { words += ["--workers", String(workers)] }
        if seed != 1 { words += ["--seed", String(seed)] }
        if shortSlice { words.append("--short-slice") }
        return words.joined(separator: " ")
    }
}
