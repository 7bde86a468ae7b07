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
