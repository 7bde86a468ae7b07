/// Sets figures as a table for a terminal.
enum TextTable {
    /// The table, one line per figure and one column per mode, with a line end behind each line.
    static func text(_ table: FigureTable) -> String {
        var rows = [[""] + table.modes.map(\.mode.name)]
        rows += table.figures.map { figure in [figure.name] + table.modes.map(figure.value) }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                // Names to the left, numbers to the right.
                return column == 0 ? row[column] + padding : padding + row[column]
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
