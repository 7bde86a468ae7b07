/// One line of the report's tables: a figure, what it means, and how it is read from a mode.
struct Figure: Sendable {
    /// At most 22 letters, so that six modes fit a terminal.
    let name: String
    /// A sentence for the report.
    let explanation: String
    /// The figure of a mode as text; a dash where it does not apply.
    let value: @Sendable (ModeResult) -> String

    init(_ name: String, _ explanation: String, value: @escaping @Sendable (ModeResult) -> String) {
        self.name = name
        self.explanation = explanation
        self.value = value
    }

    /// A figure that only modes with cells have.
    static func ofCells(
        _ name: String, _ explanation: String, value: @escaping @Sendable (ModeResult) -> String
    ) -> Figure {
        Figure(name, explanation) { $0.mode.showsCells ? value($0) : dash }
    }

    /// A figure of the passes of rows that were shown before.
    static func again(
        _ name: String, _ explanation: String, value: @escaping @Sendable (PassCounts) -> String
    ) -> Figure {
        ofCells(name, explanation) { $0.passesAgain.map(value) ?? dash }
    }

    static let dash = "–"
}
