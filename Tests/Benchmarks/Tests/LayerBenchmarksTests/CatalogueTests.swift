import Testing

@testable import BenchmarkHarness
@testable import LayerBenchmarks

@Suite struct CatalogueTests {
    @Test func nothingIsWrongWithTheCatalogue() {
        #expect(CatalogueCheck.problems(of: Catalogue.all) == [])
    }

    @Test func whatSelectsNothingIsRefusedWithStatus64() throws {
        do {
            _ = try LayerBenchmarks.parse(["--filter", "no such benchmark"])
            Issue.record("it was accepted")
        } catch {
            #expect(LayerBenchmarks.exitCode(for: error).rawValue == 64)
        }
        #expect(try LayerBenchmarks.parse(["--filter", "^storm-gap/YYAsyncLayer"]).options.filter != nil)
    }
}
