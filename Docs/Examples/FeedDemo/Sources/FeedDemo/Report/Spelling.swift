import Foundation

/// Spells numbers the same way in every locale.
enum Spelling {
    /// A number with so many digits behind the point; what is not finite is a dash.
    static func text(_ number: Double, digits: Int) -> String {
        number.isFinite ? String(format: "%.\(digits)f", number) : "–"
    }

    /// A share of 1 as a percentage; what is little but not nothing does not read as 0.
    static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "–" }
        if share > 0, share < 0.000_5 { return "< 0.1 %" }
        return text(share * 100, digits: 1) + " %"
    }

    /// A number of bytes in the unit that fits.
    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_024: "\(count) B"
        case ..<(1 << 20): text(Double(count) / 1_024, digits: 1) + " KiB"
        default: text(Double(count) / Double(1 << 20), digits: 1) + " MiB"
        }
    }

    /// A coordinate for a drawing: at most two digits, no zeros at the end.
    static func coordinate(_ number: Double) -> String {
        var text = text(number, digits: 2)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

/// Makes text safe inside HTML and SVG.
enum Markup {
    /// The text with every character that means something to a parser spelled as a reference, also inside
    /// quoted attributes. Control characters, which XML has no way to write, are left out.
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
