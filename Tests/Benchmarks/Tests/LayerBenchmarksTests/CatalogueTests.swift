import Testing

@testable import BenchmarkHarness
@testable import LayerBenchmarks

@Suite struct CatalogueTests {
    @Test func metricsHaveNamesOfTheirOwnInWordsWithHyphens() {
        let names = Catalogue.all.flatMap(\.metrics).map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(name)") }
    }

    @Test func noContenderTakesPartTwice() {
        for benchmark in Catalogue.all {
            let names = benchmark.trials.map(\.contender)
            #expect(Set(names).count == names.count, "\(benchmark.metrics[0].name)")
        }
    }

    @Test func whatOthersAreComparedWithTakesPartItself() {
        for benchmark in Catalogue.all {
            for metric in benchmark.metrics {
                #expect(
                    benchmark.trials.contains { $0.contender == metric.ours && $0.isQuick }, "\(metric.name)")
            }
        }
    }

    @Test func whatSelectsNothingIsRefusedWithStatus64() throws {
        do {
            _ = try LayerBenchmarks.parse(["--filter", "no such benchmark"])
            Issue.record("it was accepted")
        } catch {
            #expect(LayerBenchmarks.exitCode(for: error).rawValue == 64)
        }
        #expect(try LayerBenchmarks.parse(["--filter", "^storm-gap/original$"]).options.filter != nil)
    }
}
