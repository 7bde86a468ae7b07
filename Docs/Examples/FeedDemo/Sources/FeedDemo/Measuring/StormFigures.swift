/// What a storm of invalidations lets through. Only what a frame has shown counts, and only frames of the
/// storm itself: when it is over, everything settles.
struct StormFigures: Codable, Equatable, Sendable {
    /// How many cells were invalidated in every frame.
    let cells: Int
    /// New pictures a second, of one cell, on average.
    let newPicturesPerSecond: Double
    /// The longest time for which a cell showed nothing new, in milliseconds, from the storm's beginning to its
    /// end.
    let longestWithoutNewPictureMilliseconds: Double

    /// Computes the figures.
    ///
    /// - Parameter framesWithNewPicture: for each cell the numbers of the frames that showed a new picture.
    init(_ framesWithNewPicture: [[Int]], frames: [FrameRecord], grid: FrameGrid) {
        cells = framesWithNewPicture.count
        let start = frames.first?.tick ?? 0
        let end = frames.last?.shownTick ?? 0
        let seconds = Double(end - start) / Double(grid.hz)
        let pictures = framesWithNewPicture.reduce(0) { $0 + $1.count }
        newPicturesPerSecond = cells > 0 && seconds > 0 ? Double(pictures) / Double(cells) / seconds : 0
        let longest =
            framesWithNewPicture.map { shown in
                let ticks = [start] + shown.map { frames[$0].shownTick } + [end]
                return zip(ticks, ticks.dropFirst()).map { $1 - $0 }.max() ?? 0
            }.max() ?? 0
        longestWithoutNewPictureMilliseconds = Double(longest) * grid.periodMilliseconds
    }
}
