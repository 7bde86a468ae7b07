import ArgumentParser
import Foundation
import QueuePools
import QueuePoolsTopology

/// What a measuring program does with its options: it lists its benchmarks, or runs them and tells.
package struct MeasuringProgram: Sendable {
    private let name: String
    private let benchmarks: [any Benchmark]
    private let ours: String
    private let peers: String?

    /// - Parameters:
    ///   - name: the program's.
    ///   - benchmarks: all that it has, in the order in which they run and are reported.
    ///   - ours: what the others are compared with, in words.
    ///   - peers: the versions of what is compared with, where they are not the system's own.
    package init(name: String, benchmarks: [any Benchmark], ours: String, peers: String? = nil) {
        self.name = name
        self.benchmarks = benchmarks
        self.ours = ours
        self.peers = peers
    }

    /// Refuses a filter that is none or selects nothing, before anything is measured.
    package func validate(_ options: MeasuringOptions) throws {
        _ = try selection(options)
    }

    /// Lists or measures, as the options say.
    package func run(_ options: MeasuringOptions) throws {
        let selection = try selection(options)
        let selected = benchmarks.filter { selection.includes($0) }
        if options.list {
            print(selected.map { Listing.text(of: $0, selection) }.joined(), terminator: "")
        } else {
            try measure(selected, selection, options)
        }
    }

    private func measure(
        _ benchmarks: [any Benchmark], _ selection: Selection, _ options: MeasuringOptions
    ) throws {
        if options.shortSlice, !ThreadScheduling().applyToCurrentThread() {
            throw MeasuringError("the system refuses a short slice")
        }
        let scale = Scale(
            workers: options.workers ?? CPUTopology.current().activeProcessorCount, isQuick: options.quick)
        let facts = MachineFacts.current(peers: peers)
        tell(MarkdownReport.head(facts, scale: scale, command: options.command(of: name)))

        // Other load on the machine must not make a quick run a long one.
        let deadline = options.quick && options.rounds == nil ? Clock.now + 35_000_000_000 : nil
        var runner = Runner(
            scale: scale, rounds: options.rounds, selection: selection, seed: options.seed,
            deadline: deadline)
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

        if let json = options.json {
            try JSONReport(results).data().write(to: URL(fileURLWithPath: json))
        }
        if let svg = options.svg {
            let picture = BarChart(results, ours: ours, subtitle: facts.line).svg()
            try Data(picture.utf8).write(to: URL(fileURLWithPath: svg))
        }
    }

    /// At once, also into a pipe: a run takes minutes.
    private func tell(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// What the filter selects; an error where that is nothing.
    private func selection(_ options: MeasuringOptions) throws -> Selection {
        let selection: Selection
        do {
            selection = try Selection(options.filter)
        } catch {
            throw ValidationError("--filter is no regular expression: \(error)")
        }
        guard benchmarks.contains(where: { selection.includes($0) }) else {
            throw ValidationError("--filter selects no benchmark; --list shows what there is")
        }
        return selection
    }
}
