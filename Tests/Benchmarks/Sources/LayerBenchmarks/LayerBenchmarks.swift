import ArgumentParser
import BenchmarkHarness

/// The program: measures the layers and their peers, and tells.
@main
struct LayerBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LayerBenchmarks",
        abstract:
            "Measures the layers beside the algorithm of YYAsyncLayer (2015) and what one would write by hand.",
        discussion: """
            Prints Markdown tables on standard output. All contenders run in one process, in rounds that measure each of \
            them once, so ratios can be relied on where figures cannot. Takes some ten minutes; leave the machine alone meanwhile.

            A bar that is missed is a figure and no error. Where a count must be exact, another count ends the program.
            """)

    private static let program = MeasuringProgram(
        name: "LayerBenchmarks", benchmarks: Catalogue.all, ours: Roster.ours.name)

    @OptionGroup var options: MeasuringOptions

    func validate() throws {
        try Self.program.validate(options)
    }

    func run() throws {
        try Self.program.run(options)
    }
}
