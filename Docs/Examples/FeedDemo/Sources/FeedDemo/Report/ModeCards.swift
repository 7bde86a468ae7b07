/// The cards of the report: for each mode the one figure that matters most, and what it must be read with,
/// for each renderer.
enum ModeCards {
    static func html(_ table: FigureTable) -> String {
        let style = table.results.count > 1 ? "cards pairs" : "cards"
        let cards = table.modes.indices.map { index in card(table.results.map { $0.modes[index] }) }
        return "<div class=\"\(style)\">\n\(cards.joined())</div>"
    }

    /// - Parameter results: of one mode, by each renderer.
    private static func card(_ results: [ModeResult]) -> String {
        let mode = results[0].mode
        let explanation = "<p>\(Markup.escape(mode.explanation))</p>"
        let content =
            results.count == 1
            ? "\(big(results[0]))\n\(explanation)\n\(notes(results[0]))"
            : "\(explanation)\n<div class=\"pair\">\n\(results.map(part).joined())</div>\n"
        return """
            <section class="card \(mode.name)"><h3>\(mode.name)</h3>
            \(content)</section>

            """
    }

    private static func part(_ result: ModeResult) -> String {
        "<div><h4>\(result.renderer.name)</h4>\n\(big(result))\n\(notes(result))</div>\n"
    }

    private static func big(_ result: ModeResult) -> String {
        let (number, unit) = main(result)
        return "<div class=\"big\">\(number) <small>\(unit)</small></div>"
    }

    private static func main(_ result: ModeResult) -> (number: String, unit: String) {
        if let storm = result.storm {
            return (Spelling.text(storm.newPicturesPerSecond, digits: 1), "new pictures/s")
        }
        return (Spelling.text(result.hitchMillisecondsPerSecond, digits: 1), "ms/s of hitches")
    }

    private static func notes(_ result: ModeResult) -> String {
        lines(result).map { "<p>\(Markup.escape($0))</p>" }.joined(separator: "\n")
    }

    private static func lines(_ result: ModeResult) -> [String] {
        let missed = "\(result.framesOverBudget) of \(result.frames) frames over budget"
        guard result.mode.showsCells else { return [missed] }
        let wasted = "\(Spelling.percent(result.drawnButNeverShownRatio)) of the draws never shown"
        if let storm = result.storm {
            let longest = Spelling.text(storm.longestWithoutNewPictureMilliseconds, digits: 0)
            return ["up to \(longest) ms without a new picture", wasted, missed]
        }
        // What was never drawn cannot hitch: the figures belong side by side.
        let empty = "\(Spelling.percent(result.emptyCellRatio)) of the cells in view shown empty"
        guard result.draftCellRatio > 0 else { return [missed, empty, wasted] }
        return [missed, empty, "\(Spelling.percent(result.draftCellRatio)) shown as drafts", wasted]
    }
}
