/// Writes metrics in the text format that Prometheus reads.
package struct PrometheusText {
    package enum Kind: String { case counter, gauge }

    package struct Sample {
        let labels: [String: String]
        let value: Double

        package init(_ labels: [String: String], _ value: Double) {
            (self.labels, self.value) = (labels, value)
        }
    }

    /// What was written so far.
    package private(set) var text = ""
    private let prefix: String

    /// - Parameter prefix: what the names begin with, before an underscore.
    package init(prefix: String) { self.prefix = prefix }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        add(name, help, .counter, [Sample([:], Double(value))])
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        add(name, help, .gauge, [Sample([:], Double(value))])
    }

    /// A metric with all its samples, which the format wants together. Labels are written as they are: no
    /// quotes, backslashes and new lines in them.
    package mutating func add(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        let name = "\(prefix)_\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        for sample in samples {
            let labels = sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
            let set = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            // Whole numbers without a fraction, as people write them.
            let value = Int(exactly: sample.value).map { "\($0)" } ?? "\(sample.value)"
            text += "\(name)\(set) \(value)\n"
        }
    }
}
