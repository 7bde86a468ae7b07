/// The results as Markdown, piece by piece as they come.
enum MarkdownReport {
    /// What the figures are of, and how they came about.
    static func head(_ facts: MachineFacts, scale: Scale, command: String) -> String {
        let rows =
            facts.rows + [
                (
                    "workers",
                    "\(scale.workers) for each contender and tier, where the contender lets one choose"
                ),
                (
                    "method",
                    "rounds, each with all contenders in an order of its own; the median of the rounds, in brackets their "
                        + "quartiles; × is the ratio of the medians to ours, in brackets the quartiles of the ratios "
                        + "within a round"
                ),
                ("command", "`\(command)`"),
            ]
        return "| | |\n|---|---|\n" + rows.map { "| \($0) | \($1) |\n" }.joined()
    }

    /// The table of one metric.
    static func table(_ result: MetricResult) -> String {
        let hasP99 = result.entries.contains { $0.p99 != nil }
        let unit = result.metric.unit
        var columns = ["contender", unit]
        if hasP99 { columns.append("p99, \(unit)") }
        columns.append("× \(result.metric.ours)")
        var text = "\n### \(result.metric.name)\n\n\(result.metric.summary)"
        text += result.metric.better == .higher ? " More is better" : " Less is better"
        text += "; \(result.rounds) \(result.rounds == 1 ? "round" : "rounds").\n\n"
        text += row(columns) + row(["---"] + columns.dropFirst().map { _ in "---:" })
        for entry in result.entries {
            let name = entry.contender == result.metric.ours ? "**\(entry.contender)**" : entry.contender
            var cells = [name, figure(entry.value.median, entry.value)]
            if hasP99 { cells.append(entry.p99.map(Figure.text) ?? "") }
            cells.append(entry.ratio.map { figure($0, entry.ratioSpread) } ?? "")
            text += row(cells)
        }
        return text
    }

    private static func figure(_ value: Double, _ spread: Spread?) -> String {
        guard let spread, spread.low != spread.high else { return Figure.text(value) }
        return "\(Figure.text(value)) (\(Figure.range(spread.low, spread.high)))"
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }
}
