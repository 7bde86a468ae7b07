import Foundation

/// The results as an array of objects, one for each benchmark and contender.
struct JSONReport: Encodable {
    struct Entry: Codable, Equatable {
        let benchmark: String
        let contender: String
        let unit: String
        let median: Double
        /// Left out where a 99th percentile has no meaning.
        let p99: Double?
        /// The lower quartile of the rounds.
        let low: Double
        /// The upper quartile of the rounds.
        let high: Double
        /// The contender's median divided by ours; left out where ours was not measured.
        let ratio: Double?
    }

    let entries: [Entry]

    init(_ results: [MetricResult]) {
        entries = results.flatMap { result in
            result.entries.map { entry in
                Entry(
                    benchmark: result.metric.name, contender: entry.contender, unit: result.metric.unit,
                    median: entry.value.median, p99: entry.p99, low: entry.value.low, high: entry.value.high,
                    ratio: entry.ratio)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        try entries.encode(to: encoder)
    }

    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
