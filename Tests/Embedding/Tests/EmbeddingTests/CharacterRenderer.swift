import AsyncLayers

/// A renderer of one's own, in full: it draws characters instead of pixels, one per pixel asked for.
///
/// Three types make a renderer: the renderer itself, what draws draw into, and the finished picture.
struct CharacterRenderer: Renderer {
    func byteCount(of description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * MemoryLayout<Character>.size
    }

    func makeContext(_ description: ContextDescription) -> CharacterCanvas {
        CharacterCanvas(columns: description.pixelWidth, lines: description.pixelHeight)
    }

    func fill(_ canvas: CharacterCanvas, with color: Color) {
        guard color.alpha > 0.5 else { return }
        let lightness = (color.red + color.green + color.blue) / 3
        canvas.fill(with: lightness > 0.5 ? "." : "#")
    }

    func makeContents(from canvas: CharacterCanvas) -> CharacterPicture {
        CharacterPicture(lines: canvas.cells.map { String($0) })
    }
}

/// What draws draw into. It may be a class and need not be `Sendable`: one thread uses it, for one draw.
final class CharacterCanvas {
    let columns: Int
    fileprivate var cells: [[Character]]

    init(columns: Int, lines: Int) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: lines)
    }

    func fill(with character: Character) {
        for line in cells.indices { cells[line] = Array(repeating: character, count: columns) }
    }

    /// Writes a line of text; what does not fit is cut off.
    func write(_ text: String, column: Int = 0, line: Int = 0) {
        guard cells.indices.contains(line) else { return }
        for (offset, character) in text.enumerated() where (0..<columns).contains(column + offset) {
            cells[line][column + offset] = character
        }
    }
}

/// The finished picture: immutable and `Sendable`, since it goes from the thread that drew it to the main
/// actor.
struct CharacterPicture: Equatable {
    let lines: [String]
}
