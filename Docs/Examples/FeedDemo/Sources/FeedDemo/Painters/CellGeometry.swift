import AsyncLayers

/// Where the parts of a cell are, with every renderer.
///
///     ┌──────────────────────────────┐
///     │ (AB)  ╭────────────────────╮ │   avatar with initials, bubble,
///     │       │ Author          12 │ │   header line with the cell's number,
///     │       │ text text text     │ │   what the cell shows
///     │       ╰────────────────────╯ │
///     └──────────────────────────────┘
struct CellGeometry: Sendable {
    /// Of the whole cell, in points.
    let size: Size
    private let headerHeight: Double

    static let margin = 12.0
    static let avatarSize = 40.0
    static let gap = 6.0
    static let padding = 12.0
    static let cornerRadius = 14.0
    static let headerSize = 12.0
    static let initialsSize = 15.0
    static let numberSize = 11.0
    /// Of so many cells one shows a picture, where there are pictures.
    static let cellsPerPicture = 4
    /// What is behind the cells.
    static let pageColor = Color(red: 0.945, green: 0.949, blue: 0.961)

    /// The height of the text's lines in points, about.
    static func textSize(_ kind: FeedItem.Kind) -> Double {
        switch kind {
        case .heading: 19
        case .code, .table: 12
        case .paragraph, .listItem, .quote: 15
        }
    }

    /// The room for what a cell shows, in points.
    static func contentWidth(ofCell width: Double) -> Double {
        width - bubbleX - margin - 2 * padding
    }

    private static var bubbleX: Double { margin + avatarSize + gap }

    /// - Parameters:
    ///   - width: of the whole cell.
    ///   - headerHeight: of the line with the author's name.
    ///   - contentHeight: of what the cell shows below it.
    init(width: Double, headerHeight: Double, contentHeight: Double) {
        self.headerHeight = headerHeight
        let bubbleHeight = 2 * Self.padding + headerHeight + Self.gap + contentHeight
        size = Size(width: width, height: (bubbleHeight + 2 * Self.gap).rounded(.up))
    }

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

    /// Where the header line ends.
    var headerEnd: Double { bubble.maxX - Self.padding }

    /// The top left of what the cell shows.
    var content: Point { Point(x: header.x, y: header.y + headerHeight + Self.gap) }
}
