import AsyncLayers

/// The colours of a cell, all from one hue that belongs to the author's name.
struct CellColors: Equatable, Sendable {
    /// The circle behind the initials, which are white on it.
    let avatar: Color
    /// The bubble's colour at its top and at its bottom.
    let bubbleTop: Color
    let bubbleBottom: Color
    /// The author's name on the bubble.
    let author: Color
    /// The cell's number beside it.
    let number: Color
    /// The text on the bubble.
    let text: Color
    /// The thin lines between the rows of a table.
    let rule: Color

    /// The colours of an author: the same for the same name, in every run and on every machine, and however
    /// its marks are spelled.
    init(author name: String) {
        let hash = CellColors.hash(DisplayText.simplified(name))
        let hue = CellColors.hues[Int(hash % UInt64(CellColors.hues.count))]
        avatar = CellColors.color(hue)
        bubbleTop = CellColors.mix(avatar, .white, 0.93)
        bubbleBottom = CellColors.mix(avatar, .white, 0.82)
        author = CellColors.mix(avatar, .black, 0.35)
        number = Color(red: author.red, green: author.green, blue: author.blue, alpha: 0.6)
        rule = Color(red: author.red, green: author.green, blue: author.blue, alpha: 0.45)
        text = Color(red: 0.11, green: 0.12, blue: 0.15)
    }

    /// Colours of about the same lightness, dark enough for white initials (4.5:1 and more).
    static let hues: [UInt32] = [
        0xB23A48, 0xA8501C, 0x8A6100, 0x5B7000, 0x2F7A3A, 0x0F7B6C,
        0x0B7390, 0x2A66B8, 0x5157C4, 0x7A4BBF, 0x9A3FA5, 0xAE3A78,
    ]

    /// One or two capital letters or digits for an avatar: of the first and the last word that begin with
    /// one; "#" for a name that has none.
    static func initials(of name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first?.first else { return "#" }
        let last = words.count > 1 ? words[words.count - 1].first.map(String.init) ?? "" : ""
        return (String(first) + last).uppercased()
    }

    /// FNV-1a: `Hasher` has another seed in every process.
    static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func color(_ hex: UInt32) -> Color {
        Color(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255,
            blue: Double(hex & 0xFF) / 255)
    }

    private static func mix(_ color: Color, _ other: Color, _ share: Double) -> Color {
        Color(
            red: color.red + (other.red - color.red) * share,
            green: color.green + (other.green - color.green) * share,
            blue: color.blue + (other.blue - color.blue) * share)
    }
}
