import Foundation

/// Draws the results as SVG: a card for each benchmark, a bar for each contender.
///
/// All cards share one logarithmic scale of costs relative to ours, the only one on which nanoseconds and
/// percentages can stand side by side. Bars grow from the line at 1, so their lengths are to be compared: to
/// the right, the contender is worse than ours; to the left, better.
struct BarChart {
    private static let columnWidth = 590.0
    private static let margin = 20.0
    private static let headHeight = 92.0
    private static let rowHeight = 18.0
    private static let labelsRight = 212.0
    private static let barsLeft = 224.0
    private static let barsRight = 410.0

    /// What bars, thin lines and arrows are.
    private static let legend =
        "Bar: ratio of the medians, inverted where more is better · "
        + "thin line: quartiles of the rounds' ratios · arrow: beyond the scale"

    private let results: [MetricResult]
    private let ours: String
    private let subtitle: String
    /// Powers of two at the ends of the scale. What lies beyond them ends in an arrow.
    private static let scale = -4...6

    /// - Parameters:
    ///   - ours: what all others are compared with, in words.
    ///   - subtitle: what the figures are of, in one line.
    init(_ results: [MetricResult], ours: String, subtitle: String) {
        self.results = results
        self.ours = ours
        self.subtitle = subtitle
    }

    /// The picture, well-formed as XML.
    func svg() -> String {
        var columns = [Self.headHeight, Self.headHeight]
        var cards = ""
        for result in results {
            let column = columns[0] <= columns[1] ? 0 : 1
            let left = Self.margin + Double(column) * (Self.columnWidth + Self.margin)
            cards += card(result, left: left, top: columns[column])
            columns[column] += height(of: result) + 14
        }
        let width = Self.margin * 3 + Self.columnWidth * 2
        let height = max(columns[0], columns[1]) + 6
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" width="\(n(width))" \
            height="\(n(height))" role="img" aria-label="Costs of all contenders relative to ours">
            <style>\(Self.style)</style>
            <rect class="page" width="\(n(width))" height="\(n(height))"/>
            <text class="headline" x="\(n(Self.margin))" y="32">Cost against \(escape(ours)), which stands at 1×: \
            a bar to the right is a contender that costs more</text>
            <text class="note" x="\(n(Self.margin))" y="54">\(escape(subtitle))</text>
            <text class="note" x="\(n(Self.margin))" y="72">\(escape(Self.legend))</text>
            \(cards)</svg>

            """
    }

    /// What an entry costs, ours being 1: the ratio, turned over where more is better. Without ours to
    /// compare with, the first contender stands in.
    private static func costs(
        of entry: MetricResult.Entry, in result: MetricResult
    ) -> (median: Double, low: Double, high: Double) {
        let ours = result.entries.first { $0.contender == result.metric.ours } ?? result.entries[0]
        let reference = ours.value.median
        // There is no ratio to nothing: what is no more than ours costs as much, what is more is beyond the
        // scale.
        func cost(of value: Double) -> Double {
            if reference > 0 { return value / reference }
            return value <= reference ? 1 : .infinity
        }
        let ratio = cost(of: entry.value.median)
        let (low, high) = (
            entry.ratioSpread?.low ?? cost(of: entry.value.low),
            entry.ratioSpread?.high ?? cost(of: entry.value.high)
        )
        return result.metric.better == .lower ? (ratio, low, high) : (1 / ratio, 1 / high, 1 / low)
    }

    private func height(of result: MetricResult) -> Double {
        46 + Double(result.entries.count) * Self.rowHeight + 24
    }

    private func card(_ result: MetricResult, left: Double, top: Double) -> String {
        let height = height(of: result)
        let rowsTop = top + 46
        let rowsBottom = rowsTop + Double(result.entries.count) * Self.rowHeight
        var svg = """
            <g><title>\(escape(result.metric.summary))</title>
            <rect class="card" x="\(n(left))" y="\(n(top))" width="\(n(Self.columnWidth))" height="\(n(height))" rx="8"/>
            <text class="name" x="\(n(left + 14))" y="\(n(top + 24))">\(escape(result.metric.name))</text>
            <text class="note end" x="\(n(left + Self.columnWidth - 14))" y="\(n(top + 24))">\
            \(escape(result.metric.unit)), \(result.metric.better == .lower ? "less" : "more") is better</text>

            """
        for power in Self.scale where power % 2 == 0 {
            let x = left + x(ofPower: Double(power))
            let label = power < 0 ? "1/\(1 << -power)" : "\(1 << power)"
            svg += """
                <line class="\(power == 0 ? "ours" : "grid")" x1="\(n(x))" x2="\(n(x))" y1="\(n(rowsTop - 4))" \
                y2="\(n(rowsBottom + 3))"/>
                <text class="tick" x="\(n(x))" y="\(n(rowsBottom + 16))">\(label)</text>

                """
        }
        for (index, entry) in result.entries.enumerated() {
            svg += row(entry, in: result, left: left, top: rowsTop + Double(index) * Self.rowHeight)
        }
        return svg + "</g>\n"
    }

    private func row(
        _ entry: MetricResult.Entry, in result: MetricResult, left: Double, top: Double
    ) -> String {
        let isOurs = entry.contender == result.metric.ours
        let costs = BarChart.costs(of: entry, in: result)
        let middle = top + Self.rowHeight / 2
        let baseline = middle + 4
        let (origin, tip) = (left + x(ofPower: 0), left + x(of: costs.median))
        var svg = """
            <text class="label\(isOurs ? " strong" : "")" x="\(n(left + Self.labelsRight))" y="\(n(baseline))">\
            \(escape(entry.contender))</text>

            """
        if isOurs {
            svg += "<circle class=\"mark\" cx=\"\(n(origin))\" cy=\"\(n(middle))\" r=\"4.5\"/>\n"
        } else {
            svg += """
                <rect class="\(tip < origin ? "better" : "worse")" x="\(n(min(origin, tip)))" y="\(n(top + 3.5))" \
                width="\(n(max(abs(tip - origin), 0.5)))" height="\(n(Self.rowHeight - 7))"/>
                <line class="spread" x1="\(n(left + x(of: costs.low)))" x2="\(n(left + x(of: costs.high)))" \
                y1="\(n(middle))" y2="\(n(middle))"/>

                """
            if let arrow = arrow(forCost: costs.median) {
                // Its tip is the bar's, so that it is clear of the texts on both sides.
                svg += "<path class=\"spread\" d=\"M\(n(tip)) \(n(middle))l\(-arrow) -3.5v7z\"/>\n"
            }
        }
        let ratio = entry.ratio.map { " · \(Figure.text($0))×" } ?? ""
        let p99 = entry.p99.map { ", p99 \(Figure.text($0))" } ?? ""
        svg += """
            <text class="value\(isOurs ? " strong" : "")" x="\(n(left + Self.barsRight + 10))" y="\(n(baseline))">\
            \(Figure.text(entry.value.median))\(p99)\(ratio)</text>

            """
        return svg
    }

    /// How far the arrow of a bar points that is longer than the scale.
    private func arrow(forCost cost: Double) -> Int? {
        let power = cost > 0 ? log2(cost) : -.infinity
        if power > Double(Self.scale.upperBound) { return 6 }
        return power < Double(Self.scale.lowerBound) ? -6 : nil
    }

    /// Where a cost lies; what the scale does not reach stands at its end.
    private func x(of cost: Double) -> Double {
        x(ofPower: cost > 0 ? log2(cost) : -.infinity)
    }

    private func x(ofPower power: Double) -> Double {
        let (low, high) = (Double(Self.scale.lowerBound), Double(Self.scale.upperBound))
        return Self.barsLeft + (min(max(power, low), high) - low) / (high - low)
            * (Self.barsRight - Self.barsLeft)
    }

    private func n(_ number: Double) -> String {
        String(format: "%g", (number * 10).rounded() / 10)
    }

    private func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }

    private static let style = """
        text { font: 12px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", Arial, sans-serif; fill: #1b1f27; }
        .page { fill: #f6f7f9; } .card { fill: #ffffff; stroke: #dfe3e8; }
        .headline { font-size: 18px; font-weight: 600; } .name { font-size: 14px; font-weight: 600; }
        .note, .tick, .value { fill: #5c6675; } .strong { font-weight: 600; fill: #1b1f27; }
        .label, .end { text-anchor: end; } .tick { text-anchor: middle; font-size: 10px; }
        .grid { stroke: #e6e9ee; } .ours { stroke: #5c6675; stroke-width: 1.5; }
        .worse { fill: #8fb4dc; } .better { fill: #e08a3c; } .mark { fill: #1f6fc0; }
        .spread { stroke: #1b1f27; fill: #1b1f27; stroke-width: 1.25; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e8ebf0; } .page { fill: #111419; } .card { fill: #1a1f27; stroke: #303844; }
          .note, .tick, .value { fill: #9aa5b4; } .strong { fill: #e8ebf0; }
          .grid { stroke: #262d37; } .ours { stroke: #9aa5b4; }
          .worse { fill: #3f6c9e; } .better { fill: #d9853b; } .mark { fill: #5aa5f0; } .spread { stroke: #e8ebf0; fill: #e8ebf0; }
        }
        """
}
