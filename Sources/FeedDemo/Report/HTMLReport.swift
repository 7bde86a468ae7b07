import Foundation

/// Sets a report as one HTML page that needs no other file. It is well-formed XML too, so that it can be
/// checked.
enum HTMLReport {
    /// The page.
    static func page(_ report: Report) -> String {
        let summary = report.summary
        let title = "A feed of \(summary.input.cells) cells at \(summary.hz) Hz"
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>FeedDemo: \(title)</title>
            <style>
            \(ReportStyle.css)
            </style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            <p>\(Markup.escape(Headline.text(summary.modes)))</p>
            \(conditions(summary))
            \(scroll(report))
            \(storm(report))
            \(screenshot(report))
            <h2>The command</h2>
            <div class="panel"><pre>\(Markup.escape(command(report.arguments)))</pre></div>
            </main>
            </body>
            </html>

            """
    }

    /// The command line that makes such a report, quoted for a shell where that is needed.
    static func command(_ arguments: [String]) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%")
        let quoted = arguments.map { argument in
            if !argument.isEmpty, argument.allSatisfy(plain.contains) { return argument }
            return "'" + argument.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
        }
        return (["swift run -c release FeedDemo"] + quoted).joined(separator: " ")
    }

    private static func conditions(_ summary: Summary) -> String {
        let machine = summary.machine
        let scale = Spelling.coordinate(summary.scale)
        var text = """
            <p class="quiet">\(summary.framesPerMode) frames in each mode, \(summary.viewportWidth) × \
            \(summary.viewportHeight) points at scale \(scale); \(summary.input.characters) characters from \
            \(summary.input.files) \(summary.input.files == 1 ? "file" : "files"). \
            \(Markup.escape(machine.operatingSystem)), \(machine.architecture), \(machine.activeProcessors) \
            \(machine.activeProcessors == 1 ? "processor" : "processors"), \
            \(machine.isRoot ? "run as root" : "run as an ordinary user").</p>
            """
        if summary.isDebugBuild {
            text += """

                <p class="warning">This is a debug build: drawing is many times slower than in a release build, and \
                the figures are no measure of anything.</p>
                """
        }
        return text
    }

    private static func scroll(_ report: Report) -> String {
        let runs = report.runs.filter { $0.result.scenario == .scroll }
        guard let table = FigureTable(of: .scroll, from: report.summary.modes) else { return "" }
        let cost = report.summary.drawCost
        var way = "Flicks forth, a tap that scrolls to the top, flicks over what was seen before."
        if cost != .none { way += " Drawing a cell takes at least \(cost) ms." }
        return """
            <h2>The scroll</h2>
            <p class="quiet">\(Markup.escape(way))</p>
            \(ModeCards.html(table.modes))
            \(frames(FrameTimeChart(runs: runs, journey: report.journey, hz: report.summary.hz), runs))
            \(html(table))
            """
    }

    private static func frames(_ chart: FrameTimeChart, _ runs: [ModeRun]) -> String {
        guard runs.contains(where: { !$0.frames.isEmpty }) else { return "" }
        return """
            <h3>Every frame</h3>
            <ul class="legend"><li><i style="background:var(--missed)"></i>missed its tick</li>\
            <li><i class="rule"></i>budget, \(Spelling.text(chart.budget, digits: 2)) ms</li></ul>
            <div class="panel">
            \(chart.svg())
            </div>
            <p class="quiet">\(Markup.escape(chart.caption))</p>
            """
    }

    private static func storm(_ report: Report) -> String {
        let runs = report.runs.filter { $0.result.scenario == .storm }
        guard let table = FigureTable(of: .storm, from: report.summary.modes) else { return "" }
        let conditions =
            "The feed stands still, and every cell is invalidated in every frame, \(report.summary.hz) times a "
            + "second, while drawing one takes at least \(report.summary.stormDrawCost) ms. There is one cell per "
            + "core, so that each could be drawn all the time."
        return """
            <h2>The storm</h2>
            <p class="quiet">\(Markup.escape(conditions))</p>
            \(ModeCards.html(table.modes))
            <h3>Every new picture</h3>
            <div class="panel">
            \(StormChart(runs: runs, hz: report.summary.hz).svg())
            </div>
            <p class="quiet">\(Markup.escape(StormChart.caption))</p>
            \(html(table))
            """
    }

    private static func html(_ table: FigureTable) -> String {
        let head = table.modes.map { "<th scope=\"col\">\($0.mode.name)</th>" }.joined()
        let rows = table.figures.map { figure in
            let cells = table.modes.map { "<td>\(Markup.escape(figure.value($0)))</td>" }.joined()
            return
                "<tr><th scope=\"row\">\(Markup.escape(figure.name))<span>\(Markup.escape(figure.explanation))"
                + "</span></th>\(cells)</tr>"
        }
        return """
            <h3>All figures</h3>
            <div class="panel">
            <table>
            <thead><tr><th scope="col">figure</th>\(head)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            """
    }

    private static func screenshot(_ report: Report) -> String {
        guard let png = report.screenshot else { return "" }
        return """
            <h2>The feed after its last frame</h2>
            <img class="shot" alt="Screenshot of the feed: bubbles of text with round avatars" \
            src="data:image/png;base64,\(Data(png).base64EncodedString())"/>
            """
    }
}
