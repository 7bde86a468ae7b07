import AsyncLayers
import CairoRendering

/// Colours, fonts and distances of the feed, in points.
enum CellStyle {
    static let page = Color(red: 1, green: 1, blue: 1)
    static let margin = Color(red: 0.957, green: 0.961, blue: 0.969)
    static let hairline = Color(red: 0.902, green: 0.910, blue: 0.922)
    static let ink = Color(red: 0.086, green: 0.106, blue: 0.137)
    static let quiet = Color(red: 0.420, green: 0.455, blue: 0.506)
    static let link = Color(red: 0.075, green: 0.416, blue: 0.816)
    static let mention = Color(red: 0.478, green: 0.208, blue: 0.741)
    static let like = Color(red: 0.851, green: 0.157, blue: 0.314)
    static let placeholder = Color(red: 0.933, green: 0.937, blue: 0.945)
    static let scrollBar = Color(red: 0.690, green: 0.714, blue: 0.749)

    static let width = 420.0
    static let inset = 16.0
    static let avatarExtent = 44.0
    /// Between the avatar and the text.
    static let gap = 12.0
    static let photoRadius = 12.0
    /// Between the name, the text, the photo and the counts.
    static let spacing = 10.0

    static var textLeft: Double { inset + avatarExtent + gap }
    static var textWidth: Double { width - textLeft - inset }

    static let name = TextStyle(size: 14, weight: .bold, color: ink)
    static let details = TextStyle(size: 13, color: quiet)
    static let body = TextStyle(size: 14, color: ink)
    static let counts = TextStyle(size: 12, color: quiet)
}
