/// Prepares text for the stroke font, of printable ASCII and Latin-1: the typographic marks that documents
/// are full of are spelled in ASCII. Letters of other scripts stay what they are; the font shows a box for
/// each.
enum DisplayText {
    /// The text with its typographic marks spelled out.
    static func simplified(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = replacements[scalar] {
                result.append(contentsOf: replacement.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static let replacements: [Unicode.Scalar: String] = [
        "\u{2018}": "'", "\u{2019}": "'", "\u{201A}": ",", "\u{201C}": "\"", "\u{201D}": "\"",
        "\u{201E}": "\"",
        "\u{2010}": "-", "\u{2011}": "-", "\u{2012}": "-", "\u{2013}": "-", "\u{2014}": "--", "\u{2212}": "-",
        "\u{2022}": "*", "\u{2026}": "...", "\u{00A0}": " ", "\u{2009}": " ", "\u{202F}": " ", "\u{200B}": "",
        "\u{00AD}": "", "\u{2190}": "<-", "\u{2192}": "->", "\u{21D2}": "=>", "\u{2194}": "<->",
        "\u{2264}": "<=", "\u{2265}": ">=", "\u{2260}": "!=", "\u{2248}": "~", "\u{221E}": "inf",
        "\u{2032}": "'", "\u{2033}": "\"", "\u{2713}": "[x]", "\u{2714}": "[x]", "\u{FE0F}": "",
    ]
}

extension FeedItem {
    /// The item with its text and its author's name simplified.
    var simplified: FeedItem {
        FeedItem(
            author: DisplayText.simplified(author), source: source, kind: kind,
            text: DisplayText.simplified(text), table: table?.mapCells(DisplayText.simplified))
    }
}
