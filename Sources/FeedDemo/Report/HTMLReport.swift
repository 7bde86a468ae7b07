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
            <p>\(Markup.escape(headline(summary.modes)))</p>
            \(conditions(summary))
            <div class="cards">
            \(summary.modes.map(card).joined())</div>
            \(chart(report))
            \(screenshot(report))
            <h2>All figures</h2>
            <div class="panel">
            \(table(summary.modes))
            </div>
            <h2>The command</h2>
            <div class="panel"><pre>\(Markup.escape(command(report.arguments)))</pre></div>
            </main>
            </body>
            </html>

            """
    }

    /// The result in a sentence.
    static func headline(_ modes: [ModeResult]) -> String {
        func hitches(_ mode: FeedMode) -> String? {
            modes.first { $0.mode == mode }.map {
                Spelling.text($0.hitchMillisecondsPerSecond, digits: 1) + " ms/s"
            }
        }
        let noise =
            hitches(.baseline).map { " A loop that draws nothing shows \($0): the machine's own noise." }
            ?? ""
        switch (hitches(.synchronous), hitches(.layered)) {
        case (let synchronous?, let layered?):
            return
                "Drawn on the main thread the scroll hitches for \(synchronous), drawn through async layers for "
                + "\(layered).\(noise)"
        case (let synchronous?, nil):
            return "Drawn on the main thread the scroll hitches for \(synchronous).\(noise)"
        case (nil, let layered?):
            return "Drawn through async layers the scroll hitches for \(layered).\(noise)"
        case (nil, nil): return noise.isEmpty ? "No mode was run." : String(noise.dropFirst())
        }
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

    private static func card(_ result: ModeResult) -> String {
        let explanation =
            switch result.mode {
            case .baseline: "draws nothing: the machine's own noise"
            case .synchronous: "draws each cell on the main thread"
            case .layered: "draws each cell through an async layer"
            }
        // What was never drawn cannot hitch: the two figures belong side by side.
        let empty =
            result.mode == .baseline
            ? ""
            : "<p>\(Markup.escape(Spelling.percent(result.emptyCellRatio))) of the cells in view shown empty</p>"
        return """
            <section class="card \(result.mode.rawValue)"><h3>\(result.mode.rawValue)</h3>
            <div class="big">\(Spelling.text(result.hitchMillisecondsPerSecond, digits: 1)) <small>ms/s of \
            hitches</small></div>
            <p>\(explanation)</p>
            <p>\(result.framesOverBudget) of \(result.frames) frames over budget</p>
            \(empty)</section>

            """
    }

    private static func chart(_ report: Report) -> String {
        guard report.runs.contains(where: { !$0.frames.isEmpty }) else { return "" }
        let chart = FrameTimeChart(runs: report.runs, offsets: report.offsets, hz: report.summary.hz)
        let modes = report.runs.map(\.result.mode.rawValue).map {
            "<li><i style=\"background:var(--\($0))\"></i>\($0), in time</li>"
        }
        let budget = Spelling.text(1_000 / Double(report.summary.hz), digits: 2)
        return """
            <h2>Every frame</h2>
            <ul class="legend">\(modes.joined())<li><i style="background:var(--missed)"></i>missed its tick</li>\
            <li><i class="rule"></i>budget, \(budget) ms</li></ul>
            <div class="panel">
            \(chart.svg())
            </div>
            <p class="quiet">\(Markup.escape(chart.caption))</p>
            """
    }

    private static func table(_ modes: [ModeResult]) -> String {
        let head = modes.map { "<th scope=\"col\">\($0.mode.rawValue)</th>" }.joined()
        let rows = Figure.all.map { figure in
            let cells = modes.map { "<td>\(Markup.escape(figure.value($0)))</td>" }.joined()
            return
                "<tr><th scope=\"row\">\(Markup.escape(figure.name))<span>\(Markup.escape(figure.explanation))"
                + "</span></th>\(cells)</tr>"
        }
        return """
            <table>
            <thead><tr><th scope="col">figure</th>\(head)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
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
