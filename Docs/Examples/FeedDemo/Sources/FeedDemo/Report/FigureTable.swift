/// Some figures of some modes, side by side; those of several renderers one below the other.
struct FigureTable: Sendable {
    let figures: [Figure]
    /// The columns.
    let modes: [FeedMode]
    /// For each renderer the results of these modes.
    let results: [RendererResults]

    /// The table of the modes of a scenario; nil when none of them was run.
    init?(of scenario: FeedMode.Scenario, from results: [ModeResult]) {
        self.results = results.filter { $0.scenario == scenario }.byRenderer
        guard let first = self.results.first else { return nil }
        modes = first.modes.map(\.mode)
        figures =
            switch scenario {
            case .scroll: Figure.scroll
            case .storm: Figure.storm
            }
    }
}

/// The figures of one renderer.
struct RendererResults: Sendable {
    let renderer: FeedRenderer
    /// In the order in which the modes ran.
    let modes: [ModeResult]
}

extension [ModeResult] {
    /// The figures apart by renderer, in the order in which they ran.
    var byRenderer: [RendererResults] {
        FeedRenderer.allCases.compactMap { renderer in
            let modes = filter { $0.renderer == renderer }
            return modes.isEmpty ? nil : RendererResults(renderer: renderer, modes: modes)
        }
    }
}

/// Sets figures as a table for a terminal.
enum TextTable {
    /// The table, one line per figure and renderer and one column per mode, with a line end behind each line.
    static func text(_ table: FigureTable) -> String {
        let names = table.results.count > 1 ? 2 : 1
        var rows = [Array(repeating: "", count: names) + table.modes.map(\.name)]
        for figure in table.figures {
            for (index, results) in table.results.enumerated() {
                let name = [index == 0 ? figure.name : "", results.renderer.name].prefix(names)
                rows.append(name + results.modes.map(figure.value))
            }
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                // Names to the left, numbers to the right.
                return column < names ? row[column] + padding : padding + row[column]
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}

/// Sets figures as a table for the page.
enum FigureTableMarkup {
    /// The table with its heading: one row per figure and renderer, one column per mode.
    static func html(_ table: FigureTable) -> String {
        let hasRenderers = table.results.count > 1
        let names = "<th scope=\"col\">figure</th>" + (hasRenderers ? "<th></th>" : "")
        let head = table.modes.map { "<th scope=\"col\">\($0.name)</th>" }.joined()
        let rows = table.figures.flatMap { figure in
            table.results.indices.map { row(figure, table.results, $0) }
        }
        return """
            <h3>All figures</h3>
            <div class="panel">
            <table>
            <thead><tr>\(names)\(head)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            """
    }

    private static func row(_ figure: Figure, _ results: [RendererResults], _ index: Int) -> String {
        let (name, explanation) = (Markup.escape(figure.name), Markup.escape(figure.explanation))
        let cells = results[index].modes.map { "<td>\(Markup.escape(figure.value($0)))</td>" }.joined()
        guard results.count > 1 else {
            return "<tr><th scope=\"row\">\(name)<span>\(explanation)</span></th>\(cells)</tr>"
        }
        // The name belongs to the rows of all renderers.
        let title =
            index > 0
            ? ""
            : "<th scope=\"rowgroup\" rowspan=\"\(results.count)\">\(name)<span>\(explanation)</span></th>"
        let style = index + 1 < results.count ? " class=\"joined\"" : ""
        let renderer = "<th scope=\"row\" class=\"renderer\">\(results[index].renderer.name)</th>"
        return "<tr\(style)>\(title)\(renderer)\(cells)</tr>"
    }
}
