import Testing
import TiledLayers

@Suite("Descriptions of values of tiled layers")
struct TiledDescriptionTests {
    @Test("coverage and statistics are described by their counters")
    func counters() {
        var coverage = TileCoverage()
        (coverage.sharp, coverage.stale) = (65_536, 256)
        #expect("\(coverage)" == "sharp 65536, coarse 0, stale 256, blank 0")
        var statistics = TileStatistics()
        statistics.draws = [.damage: 3, .first: 12]
        statistics.byteCount = 1_024
        #expect("\(statistics)" == "first 12, damage 3, failures 0, 1024 bytes")
    }
}
