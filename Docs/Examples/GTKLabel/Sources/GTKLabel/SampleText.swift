import AsyncLayers
import CairoRendering

/// The text in the window.
enum SampleText {
    static let linkColor = Color(red: 0.05, green: 0.35, blue: 0.85)
    private static let mentionColor = Color(red: 0.65, green: 0.15, blue: 0.45)
    private static let ink = Color(white: 0.12)

    /// The text at a size.
    static func make(size: Double = 16) -> RichText {
        let plain = TextStyle(size: size, color: ink)
        var link = TextStyle(size: size, color: linkColor)
        link.isUnderlined = true
        let mention = TextStyle(size: size, weight: .semibold, color: mentionColor)
        var quiet = TextStyle(size: size * 0.8, color: Color(white: 0.45))
        quiet.isItalic = true

        var text = RichText(
            "Drawn off the main thread\n", style: TextStyle(size: size * 1.6, weight: .bold, color: ink))
        text.append("\n", style: TextStyle(size: size * 0.4))
        text.append("Lines are broken by ", style: plain)
        text.append("Pango", style: link, mark: .link("https://pango.gnome.org"))
        text.append(", glyphs are drawn by ", style: plain)
        text.append("Cairo", style: link, mark: .link("https://www.cairographics.org"))
        text.append(", both on a pool of threads; ", style: plain)
        text.append("GTK", style: link, mark: .link("https://www.gtk.org"))
        text.append(" shows the newest picture. Press a link, or ask ", style: plain)
        text.append("@anna", style: mention, mark: .mention("anna"))
        text.append(" and ", style: plain)
        text.append("@bruno", style: mention, mark: .mention("bruno"))
        text.append(".\n", style: plain)
        text.append("\n", style: TextStyle(size: size * 0.4))
        text.append("Ελληνικά, кириллица, naïve façade – ½ × ¾ ≈ ⅜", style: quiet)
        return text
    }
}
