extension Figure {
    /// The figures of the modes that storm, in the order in which they are shown.
    static let storm: [Figure] =
        [
            ofStorm("Cells", "How many cells were invalidated in every frame: one per core.") {
                "\($0.cells)"
            },
            ofStorm("New pictures a second", "How often a cell showed something new, during the storm.") {
                Spelling.text($0.newPicturesPerSecond, digits: 1)
            },
            ofStorm("Longest without, ms", "The longest time for which a cell showed nothing new.") {
                Spelling.text($0.longestWithoutNewPictureMilliseconds, digits: 0)
            },
            ofCells("Draw p50, ms", "Half of the draws that were not cut short took no longer.") {
                Spelling.text($0.drawMilliseconds.p50, digits: 2)
            },
        ] + passes + mainThread + resources

    private static func ofStorm(
        _ name: String, _ explanation: String, value: @escaping @Sendable (StormFigures) -> String
    ) -> Figure {
        Figure(name, explanation) { $0.storm.map(value) ?? dash }
    }
}
