import AsyncLayers
import BitmapRendering

/// Where everything in a cell is: computed once per cell, before the scroll, since the heights place the
/// cells.
///
///     ┌──────────────────────────────┐
///     │ (AB)  ╭────────────────────╮ │   avatar with initials, bubble,
///     │       │ Author          12 │ │   header line with the cell's number,
///     │       │ text text text     │ │   wrapped text
///     │       ╰────────────────────╯ │
///     └──────────────────────────────┘
struct CellLayout: Sendable {
    let item: FeedItem
    let number: Int
    let size: Size
    let textFont: StrokeFont
    let lines: [StrokeFont.Line]

    static let margin = 12.0
    static let avatarSize = 40.0
    static let gap = 6.0
    static let padding = 12.0
    static let cornerRadius = 14.0
    static let headerFont = StrokeFont(size: 12, weight: .bold)
    static let initialsFont = StrokeFont(size: 15, weight: .bold)
    static let numberFont = StrokeFont(size: 11)

    init(item: FeedItem, number: Int, width: Double) {
        self.item = item
        self.number = number
        textFont =
            switch item.kind {
            case .heading: StrokeFont(size: 19, weight: .bold)
            case .code, .table: StrokeFont(size: 12)
            case .paragraph, .listItem, .quote: StrokeFont(size: 15)
            }
        let bubbleWidth = width - Self.bubbleX - Self.margin
        lines = textFont.wrap(item.text, width: bubbleWidth - 2 * Self.padding)
        let textHeight = Double(lines.count) * textFont.lineHeight
        let bubbleHeight = 2 * Self.padding + Self.headerFont.lineHeight + Self.gap + textHeight
        size = Size(width: width, height: (bubbleHeight + 2 * Self.gap).rounded(.up))
    }

    private static var bubbleX: Double { margin + avatarSize + gap }

    var avatar: Rect {
        Rect(x: Self.margin, y: Self.gap, width: Self.avatarSize, height: Self.avatarSize)
    }

    var bubble: Rect {
        Rect(
            x: Self.bubbleX, y: Self.gap, width: size.width - Self.bubbleX - Self.margin,
            height: size.height - 2 * Self.gap)
    }

    /// The top left of the header line.
    var header: Point { Point(x: bubble.minX + Self.padding, y: bubble.minY + Self.padding) }

    /// The top left of the text.
    var text: Point { Point(x: header.x, y: header.y + Self.headerFont.lineHeight + Self.gap) }
}
