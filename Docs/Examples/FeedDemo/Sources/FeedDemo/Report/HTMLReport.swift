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
            \(Headline.paragraphs(summary.modes).map { "<p>\(Markup.escape($0))</p>" }.joined(separator: "\n"))
            \(conditions(summary))
            \(scroll(report))
            \(storm(report))
            \(screenshots(report))
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
        return ([FeedRenderer.command()] + quoted).joined(separator: " ")
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
        if summary.layouts.map(\.renderer) != [.bitmap] {
            text += "\n<p class=\"quiet\">\(Markup.escape(renderers(summary.layouts)))</p>"
        }
        for layout in summary.layouts where !layout.lastPicturesAreEqual {
            text += """

                <p class="warning">With \(layout.renderer.name) the last picture is not the same in all modes, which it \
                must be.</p>
                """
        }
        if summary.isDebugBuild {
            text += """

                <p class="warning">This is a debug build: drawing is many times slower than in a release build, and \
                the figures are no measure of anything.</p>
                """
        }
        return text
    }

    /// What the feed is drawn with, and what a reader must know who compares renderers.
    private static func renderers(_ layouts: [Summary.Layout]) -> String {
        let list = layouts.map {
            let height = Spelling.text($0.contentHeight, digits: 0)
            return "\($0.renderer.name) (\($0.renderer.explanation); "
                + "all cells together are \(height) points high)"
        }
        let text = "The feed is drawn with \(list.joined(separator: " and with "))."
        guard list.count > 1 else { return text }
        return text + " Their cells differ, so the same frames with the same flings lead past other cells. "
            + "Within one renderer all modes go the same way."
    }

    private static func scroll(_ report: Report) -> String {
        guard let table = FigureTable(of: .scroll, from: report.summary.modes) else { return "" }
        let cost = report.summary.drawCost
        var way = "Flings forward, a tap that scrolls to the top, and flings over what was seen before."
        if cost != .none { way += " Drawing a cell takes at least \(cost) ms." }
        return """
            <h2>The scroll</h2>
            <p class="quiet">\(Markup.escape(way))</p>
            \(ModeCards.html(table))
            \(midScroll(report))
            \(frames(report))
            \(FigureTableMarkup.html(table))
            """
    }

    /// What the modes that are compared by pictures showed at the same frame, beside one another.
    private static func midScroll(_ report: Report) -> String {
        let shots = report.renderers.flatMap { run in
            run.midScroll.map { picture in
                let cells = picture.cells
                let name =
                    report.renderers.count > 1 ? "\(run.renderer.name), \(picture.mode)" : picture.mode.name
                return shot(
                    picture.png,
                    "\(name): of \(cells.visible) cells \(cells.empty) empty, \(cells.drafts) drafts")
            }
        }
        if shots.isEmpty { return "" }
        return """
            <h3>During the scroll</h3>
            <p class="quiet">The same frame of the scroll to the top, where most of a screenful is new in each frame, as \
            each mode showed it. A draft has a sixteenth of the pixels; the picture in full follows when there is time.</p>
            <div class="shots">
            \(shots.joined(separator: "\n"))
            </div>
            """
    }

    private static func frames(_ report: Report) -> String {
        let runs = report.renderers.map { $0.runs(of: .scroll) }
        let all = runs.flatMap { $0 }
        guard all.contains(where: { !$0.frames.isEmpty }) else { return "" }
        let charts = zip(report.renderers, runs).map { renderer, runs in
            FrameTimeChart(runs: runs, journey: renderer.journey, hz: report.summary.hz, comparedWith: all)
        }
        return """
            <h3>Every frame</h3>
            <ul class="legend"><li><i style="background:var(--missed)"></i>missed its tick</li>\
            <li><i class="rule"></i>budget, \(Spelling.text(charts[0].budget, digits: 2)) ms</li></ul>
            \(panels(report, charts.map { $0.svg() }))
            <p class="quiet">\(Markup.escape(charts[0].caption))</p>
            """
    }

    /// A chart for each renderer, which is named when there are several.
    private static func panels(_ report: Report, _ charts: [String]) -> String {
        zip(report.renderers, charts).map { renderer, chart in
            let name = charts.count > 1 ? "<h4>\(renderer.renderer.name)</h4>\n" : ""
            return "\(name)<div class=\"panel\">\n\(chart)\n</div>"
        }.joined(separator: "\n")
    }

    private static func storm(_ report: Report) -> String {
        guard let table = FigureTable(of: .storm, from: report.summary.modes) else { return "" }
        let conditions =
            "The feed stands still, and every cell is invalidated in every frame, \(report.summary.hz) times a "
            + "second, while drawing one takes at least \(report.summary.stormDrawCost) ms. There is one cell per "
            + "core, so that each could be drawn all the time."
        return """
            <h2>The storm</h2>
            <p class="quiet">\(Markup.escape(conditions))</p>
            \(ModeCards.html(table))
            \(newPictures(report))
            <p class="quiet">\(Markup.escape(StormChart.caption))</p>
            \(FigureTableMarkup.html(table))
            """
    }

    private static func newPictures(_ report: Report) -> String {
        let charts = report.renderers.map {
            StormChart(runs: $0.runs(of: .storm), hz: report.summary.hz).svg()
        }
        return "<h3>Every new picture</h3>\n" + panels(report, charts)
    }

    private static func screenshots(_ report: Report) -> String {
        let shots = report.renderers.compactMap { renderer in
            renderer.screenshot.map { shot($0, report.renderers.count > 1 ? renderer.renderer.name : "") }
        }
        if shots.isEmpty { return "" }
        return """
            <h2>The feed after its last frame</h2>
            <div class="shots">
            \(shots.joined(separator: "\n"))
            </div>
            """
    }

    private static func shot(_ png: [UInt8], _ caption: String) -> String {
        let caption = caption.isEmpty ? "" : "<figcaption>\(Markup.escape(caption))</figcaption>\n"
        return """
            <figure>\(caption)<img class="shot" alt="Screenshot of the feed: bubbles of text with round avatars" \
            src="data:image/png;base64,\(Data(png).base64EncodedString())"/></figure>
            """
    }
}
