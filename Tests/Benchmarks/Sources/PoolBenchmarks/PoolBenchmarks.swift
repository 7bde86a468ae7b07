import ArgumentParser
import Foundation
import QueuePools
import Topology

/// The program: measures the pools and their peers, and tells.
@main
struct PoolBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PoolBenchmarks",
        abstract: "Measures the queue pools beside everything that one could use instead.",
        discussion: """
            Prints Markdown tables on standard output. All contenders run in one process, in rounds that measure each of \
            them once, so ratios can be relied on where figures cannot. Takes some ten minutes; leave the machine alone meanwhile.

            Priorities differ with privileges. To measure as an ordinary user, run the program that was built under
            setpriv --reuid=65534 --regid=65534 --clear-groups.

            The contender oneTBB is there if the package was built with ONETBB_PREFIX set to the folder that holds the \
            library: python3 -m venv .build/onetbb && .build/onetbb/bin/pip install tbb-devel
            """)

    @Option(
        help: ArgumentHelp(
            "Measure only what this regular expression finds in \"benchmark/contender\".",
            discussion: "What the others are compared with is measured along.",
            valueName: "expression"))
    var filter: String?

    @Flag(help: "Fewer jobs and rounds: under 60 seconds for everything.")
    var quick = false

    @Option(
        help: ArgumentHelp("Rounds of every benchmark, 1 to 1,000. (default: 5 to 15; with --quick, 1 to 3)"))
    var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "Workers of each contender in each tier, 1 to 64. (default: the cores that can be used)"))
    var workers: Int?

    @Option(help: "Chooses the order of the contenders within the rounds.")
    var seed: UInt64 = 1

    @Flag(
        help: ArgumentHelp(
            "Give the submitting thread a slice of 0.1 ms.",
            discussion:
                "As ThreadScheduling().applyToCurrentThread() does for a main thread. Linux 6.12 and later."))
    var shortSlice = false

    @Option(
        help: ArgumentHelp("Write the results to this file, as a JSON array of objects.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a picture of the results to this file, as SVG.", valueName: "file"))
    var svg: String?

    @Flag(help: "List the benchmarks and their contenders, and end.")
    var list = false

    func validate() throws {
        if let rounds, !(1...1_000).contains(rounds) {
            throw ValidationError("--rounds must be a whole number from 1 to 1000, not \(rounds)")
        }
        let limit = QueuePoolConfiguration.maximumQueuesPerTier
        if let workers, !(1...limit).contains(workers) {
            throw ValidationError("--workers must be a whole number from 1 to \(limit), not \(workers)")
        }
        for (option, path) in [("--json", json), ("--svg", svg)] {
            if let path { try OutputFile.check(path, option: option) }
        }
        if let json, json == svg { throw ValidationError("--json and --svg name the same file, \(json)") }
        _ = try selection()
    }

    func run() throws {
        let selection = try selection()
        let benchmarks = Catalogue.all.filter { selection.includes($0) }
        if list {
            print(benchmarks.map { Listing.text(of: $0, selection) }.joined(), terminator: "")
        } else {
            try measure(benchmarks, selection)
        }
    }

    private func measure(_ benchmarks: [any Benchmark], _ selection: Selection) throws {
        if shortSlice, !ThreadScheduling().applyToCurrentThread() {
            throw MeasuringError("the system refuses a short slice")
        }
        let scale = Scale(
            workers: workers ?? CPUTopology.current().activeProcessorCount, isQuick: quick)
        let facts = MachineFacts.current()
        tell(MarkdownReport.head(facts, scale: scale, command: command))

        // Other load on the machine must not make a quick run a long one.
        let deadline = quick && rounds == nil ? Clock.now + 35_000_000_000 : nil
        var runner = Runner(
            scale: scale, rounds: rounds, selection: selection, seed: seed, deadline: deadline)
        let progress = Progress(total: benchmarks.reduce(0) { $0 + runner.work(of: $1) })
        var results: [MetricResult] = []
        for benchmark in benchmarks {
            progress.begin(benchmark.metrics[0].name)
            let start = Clock.now
            let found = try runner.run(benchmark, progress)
            progress.end(contenders: found[0].entries.count, seconds: Double(Clock.now - start) / 1e9)
            for result in found { tell(MarkdownReport.table(result)) }
            results += found
        }

        if let json { try JSONReport(results).data().write(to: URL(fileURLWithPath: json)) }
        if let svg {
            let picture = BarChart(results, subtitle: facts.line).svg()
            try Data(picture.utf8).write(to: URL(fileURLWithPath: svg))
        }
    }

    /// The command as a reader can repeat it: without the path, and without the names of files.
    private var command: String {
        var words = ["PoolBenchmarks"]
        if let filter { words += ["--filter", "'\(filter)'"] }
        if quick { words.append("--quick") }
        if let rounds { words += ["--rounds", String(rounds)] }
        if let workers { words += ["--workers", String(workers)] }
        if seed != 1 { words += ["--seed", String(seed)] }
        if shortSlice { words.append("--short-slice") }
        return words.joined(separator: " ")
    }

    /// At once, also into a pipe: a run takes minutes.
    private func tell(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// What the filter selects; an error where that is nothing.
    func selection() throws -> Selection {
        let selection: Selection
        do {
            selection = try Selection(filter)
        } catch {
            throw ValidationError("--filter is no regular expression: \(error)")
        }
        guard Catalogue.all.contains(where: { selection.includes($0) }) else {
            throw ValidationError("--filter selects no benchmark; --list shows what there is")
        }
        return selection
    }
}
