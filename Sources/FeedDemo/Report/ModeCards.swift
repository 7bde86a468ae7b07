/// The cards of the report: for each mode the one figure that matters most, and what it must be read with.
enum ModeCards {
    static func html(_ modes: [ModeResult]) -> String {
        "<div class=\"cards\">\n\(modes.map(card).joined())</div>"
    }

    private static func card(_ result: ModeResult) -> String {
        let lines = notes(result).map { "<p>\(Markup.escape($0))</p>" }.joined(separator: "\n")
        let (number, unit) = main(result)
        return """
            <section class="card \(result.mode.name)"><h3>\(result.mode.name)</h3>
            <div class="big">\(number) <small>\(unit)</small></div>
            <p>\(Markup.escape(result.mode.explanation))</p>
            \(lines)</section>

            """
    }

    private static func main(_ result: ModeResult) -> (number: String, unit: String) {
        if let storm = result.storm {
            return (Spelling.text(storm.newPicturesPerSecond, digits: 1), "new pictures/s")
        }
        return (Spelling.text(result.hitchMillisecondsPerSecond, digits: 1), "ms/s of hitches")
    }

    private static func notes(_ result: ModeResult) -> [String] {
        let missed = "\(result.framesOverBudget) of \(result.frames) frames over budget"
        guard result.mode.showsCells else { return [missed] }
        let wasted = "\(Spelling.percent(result.drawnButNeverShownRatio)) of the draws never shown"
        if let storm = result.storm {
            let longest = Spelling.text(storm.longestWithoutNewPictureMilliseconds, digits: 0)
            return ["up to \(longest) ms without a new picture", wasted, missed]
        }
        // What was never drawn cannot hitch: the figures belong side by side.
        let empty = "\(Spelling.percent(result.emptyCellRatio)) of the cells in view shown empty"
        return [missed, empty, wasted]
    }
}
