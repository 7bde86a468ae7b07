import ArgumentParser
import BenchmarkHarness
import CMeasuring

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
            library: python3 -m venv .build/onetbb && .build/onetbb/bin/pip install \
            tbb-devel==2023.2.0
            """)

    private static let program = MeasuringProgram(
        name: "PoolBenchmarks", benchmarks: Catalogue.all, ours: Roster.ours,
        peers: "swift-nio \(String(cString: measuring_swift_nio_version())), "
            + (OneTBB.version.map { "oneTBB \($0)" }
                ?? "oneTBB is absent: the program was built without `ONETBB_PREFIX`, see `Tests/Benchmarks/Package.swift`")
    )

    @OptionGroup var options: MeasuringOptions

    func validate() throws {
        try Self.program.validate(options)
    }

    func run() throws {
        try Self.program.run(options)
    }
}
