import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import BenchmarkHarness

@Suite struct ReportTests {
    @Test func jsonIsAnArrayOfOneObjectForEachBenchmarkAndContender() throws {
        let objects = try #require(
            JSONSerialization.jsonObject(with: JSONReport(SampleResults.all).data()) as? [[String: Any]])
        #expect(objects.count == 6)
        let first = try #require(objects.first)
        #expect(
            Set(first.keys) == ["benchmark", "contender", "unit", "median", "p99", "low", "high", "ratio"])
        #expect(first["benchmark"] as? String == "latency")
        #expect(first["contender"] as? String == "ours")
        #expect(first["unit"] as? String == "µs")
        #expect(first["median"] as? Double == 11)
        #expect(first["p99"] as? Double == 30)
        #expect(first["low"] as? Double == 10.5)
        #expect(first["high"] as? Double == 11.5)
        #expect(objects[1]["ratio"] as? Double == 3)
    }

    @Test func jsonLeavesOutWhatHasNoMeaning() throws {
        let objects = try #require(
            JSONSerialization.jsonObject(with: JSONReport(SampleResults.all).data()) as? [[String: Any]])
        #expect(objects[2]["p99"] == nil)
        #expect(objects[2]["ratio"] as? Double == 1)
        #expect(objects[5]["ratio"] == nil)
    }

    @Test func jsonOfNothingIsAnEmptyArray() throws {
        let array = try JSONSerialization.jsonObject(with: JSONReport([]).data()) as? [Any]
        #expect(array?.isEmpty == true)
    }

    @Test func thePictureIsWellFormedXMLWithFiniteNumbers() throws {
        let svg = BarChart(SampleResults.all, ours: "<ours>", subtitle: "a & b <c>").svg()
        let names = Elements()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = names
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(names.all.first == "svg")
        #expect(names.all.filter { $0 == "title" }.count == SampleResults.all.count)
        for word in ["nan", "inf"] { #expect(!svg.contains("\"\(word)") && !svg.contains("\"-\(word)")) }
    }

    @Test func whereOursIsNothingNobodyCostsLess() {
        func picture(of peer: Double) -> String {
            let result = MetricResult(
                Metric("hitches", unit: "ms/s", ours: "ours", summary: ""),
                readings: [("ours", [Reading(0)]), ("peer", [Reading(peer)])])
            return BarChart([result], ours: "ours", subtitle: "").svg()
        }
        #expect(!picture(of: 0).contains("class=\"better\""))
        #expect(picture(of: 1).contains("class=\"worse\""))
    }

    @Test(arguments: [(-47.0, -47.0), (-47, -50), (-47, 0), (-47, 1_389), (0, 1_389)])
    func whereOursIsLessThanNothingNobodyCostsLess(ours: Double, peer: Double) {
        let result = MetricResult(
            Metric("growth", unit: "MiB", ours: "ours", summary: ""),
            readings: [("ours", [Reading(ours)]), ("peer", [Reading(peer)])])
        let svg = BarChart([result], ours: "ours", subtitle: "").svg()
        #expect(svg.contains("class=\"worse\"") && !svg.contains("class=\"better\""))
        #expect(svg.contains("<path") == (peer > ours), "an arrow only where it costs more")
    }

    @Test(arguments: [0, 1e9])
    func anArrowStaysWithinTheScale(peer: Double) throws {
        let result = MetricResult(
            Metric("latency", unit: "µs", ours: "ours", summary: ""),
            readings: [("ours", [Reading(1)]), ("peer", [Reading(peer)])])
        let svg = BarChart([result], ours: "ours", subtitle: "").svg()
        let grid = svg.matches(of: /<line class="grid" x1="([0-9.]+)"/).compactMap { Double($0.1) }
        let arrow = try #require(svg.firstMatch(of: /<path [^>]*d="M([0-9.]+) [0-9.]+l(-?[0-9.]+)/))
        let tip = try #require(Double(arrow.1))
        let base = tip + (try #require(Double(arrow.2)))
        #expect(tip == (peer == 0 ? grid.min() : grid.max()))
        #expect(peer == 0 ? base > tip : base < tip)
    }

    @Test func theHeadSaysWhatThinLinesAndArrowsAre() {
        let head = BarChart([], ours: "", subtitle: "").svg()
        for word in ["Bar: ", "thin line: ", "arrow: "] { #expect(head.contains(word)) }
    }

    @Test func whereMoreIsBetterNothingCostsMost() {
        let result = MetricResult(
            Metric("pictures", unit: "pictures/s", better: .higher, ours: "ours", summary: ""),
            readings: [("ours", [Reading(10)]), ("peer", [Reading(0)])])
        let svg = BarChart([result], ours: "ours", subtitle: "").svg()
        #expect(svg.contains("class=\"worse\"") && !svg.contains("class=\"better\""))
    }

    @Test func aPictureOfNothingIsWellFormedToo() {
        #expect(XMLParser(data: Data(BarChart([], ours: "", subtitle: "").svg().utf8)).parse())
    }

    @Test func aTableHasARowForEachContenderAndTheSameCellsInEach() {
        let lines = MarkdownReport.table(SampleResults.all[0]).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("|") }
        #expect(
            rows == [
                "| contender | µs | p99, µs | × ours |", "| --- | ---: | ---: | ---: |",
                "| **ours** | 11.0 (10.5–11.5) | 30.0 | 1.00 |", "| peer | 33.0 | 60.0 | 3.00 (2.89–3.16) |",
            ])
    }

    @Test(arguments: [
        (0, "0.00"), (0.123, "0.12"), (9.994, "9.99"), (9.996, "10.0"), (48.14, "48.1"), (481.2, "481"),
        (999.6, "1,000"), (4_810, "4,810"), (1_234_567.8, "1,234,568"), (.nan, "–"), (.infinity, "–"),
    ])
    func figuresHaveThreeDigitsOrMore(value: Double, text: String) {
        #expect(Figure.text(value) == text)
    }
}

private final class Elements: NSObject, XMLParserDelegate {
    private(set) var all: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        all.append(name)
    }
}
