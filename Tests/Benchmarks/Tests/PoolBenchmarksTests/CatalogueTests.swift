import Testing

@testable import BenchmarkHarness
@testable import PoolBenchmarks

@Suite struct CatalogueTests {
    @Test func nothingIsWrongWithTheCatalogue() {
        #expect(CatalogueCheck.problems(of: Catalogue.all) == [])
    }

    @Test func aListingNamesEveryContender() throws {
        let text = Listing.text(of: EmptyJob.oneProducer, try Selection(nil))
        for kind in Roster.all { #expect(text.contains(kind.name)) }
    }
}
