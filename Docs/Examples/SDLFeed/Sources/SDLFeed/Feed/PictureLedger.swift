/// Which rows have had a picture, and which of them a frame has shown.
struct PictureLedger: Sendable {
    private var finished: Set<Int> = []
    private var shown: Set<Int> = []

    /// How often a row that had shown its picture showed none in the next frame. Must stay zero.
    var flashCount = 0

    mutating func pictureIsFinished(of row: Int) { finished.insert(row) }

    mutating func pictureWasShown(of row: Int) { shown.insert(row) }

    var shownCount: Int { shown.count }

    /// Rows that left before anybody saw their finished picture.
    var neverShownCount: Int { finished.subtracting(shown).count }
}
