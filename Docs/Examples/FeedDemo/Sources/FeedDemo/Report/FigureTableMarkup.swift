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
