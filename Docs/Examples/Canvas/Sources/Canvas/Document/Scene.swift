import AsyncLayers
import CQueuePoolsCairo
import CairoRendering

/// What stands on the canvas and does not change: shapes, labels and pictures. Drawn by several threads at a
/// time.
final class Scene: Sendable {
    struct Item: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case box(Color, cornerRadius: Double)
            /// Lines, or if they are closed, what lies in an odd number of them.
            case path([[Point]], isClosed: Bool, Color)
            /// In the middle of the frame.
            case label(String, size: Double, Color)
            /// The number of a picture.
            case picture(Int)
        }

        let frame: Rect
        let kind: Kind
    }

    static let size = Size(width: 20_000, height: 20_000)
    /// Of paths, in points; they are never thinner than a pixel.
    static let lineWidth = 3.0

    let size: Size
    let items: [Item]
    private let index: GridIndex
    private let pictures: [CairoImage]
    private let layouts = LayoutCache<RichText, TextLayout>(byteLimit: 8 << 20) { $1.byteCount }

    init(size: Size, items: [Item], pictures: [CairoImage] = []) {
        (self.size, self.items, self.pictures) = (size, items, pictures)
        index = GridIndex(items.map(\.frame), size: size)
    }

    /// The numbers of the items in an area, those at the back first.
    func numbers(in area: Rect) -> [Int] { index.numbers(in: area) }

    /// Draws what lies in an area, on a page.
    func draw(in context: CairoContext, area: Rect, isCancelled: () -> Bool) throws {
        context.fill(area, with: Palette.page)
        for number in numbers(in: area) {
            if isCancelled() { return }
            try draw(items[number], in: context)
        }
    }

    private func draw(_ item: Item, in context: CairoContext) throws {
        switch item.kind {
        case .box(let color, let radius): context.fill(item.frame, cornerRadius: radius, with: color)
        case .path(let lines, let isClosed, let color): draw(lines, isClosed, color, in: context)
        case .label(let text, let size, let color):
            // Smaller, it cannot be read.
            guard size * context.scale >= 3 else { return }
            let text = Self.richText(text, size: size, color)
            let layout = try layouts.layout(for: text, width: .infinity) { _ in try TextLayout(text) }
            context.draw(layout, at: Rect(center: item.frame.center, size: layout.size).origin)
        case .picture(let number): try context.draw(pictures[number], in: item.frame, cornerRadius: 10)
        }
    }

    /// Of a label.
    static func richText(_ text: String, size: Double, _ color: Color) -> RichText {
        RichText(text, style: TextStyle(size: size, weight: .medium, color: color))
    }

    private func draw(_ lines: [[Point]], _ isClosed: Bool, _ color: Color, in context: CairoContext) {
        for line in lines {
            cairo_new_sub_path(context.cairo)
            for point in line { cairo_line_to(context.cairo, point.x, point.y) }
            if isClosed { cairo_close_path(context.cairo) }
        }
        if isClosed {
            cairo_set_fill_rule(context.cairo, CAIRO_FILL_RULE_EVEN_ODD)
            context.setSource(color.with(alpha: color.alpha * 0.4))
            cairo_fill_preserve(context.cairo)
        }
        context.setSource(color)
        cairo_set_line_join(context.cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_width(context.cairo, max(Self.lineWidth, 1 / context.scale))
        cairo_stroke(context.cairo)
    }
}

enum Palette {
    static let page = Color(red: 0.984, green: 0.980, blue: 0.969)
    static let margin = Color(red: 0.45, green: 0.47, blue: 0.50)
    static let ink = Color(red: 0.086, green: 0.106, blue: 0.137)
    static let accent = Color(red: 0.075, green: 0.416, blue: 0.816)
    static let shapes = [
        Color(red: 0.91, green: 0.30, blue: 0.24), Color(red: 0.95, green: 0.61, blue: 0.07),
        Color(red: 0.18, green: 0.60, blue: 0.42), Color(red: 0.16, green: 0.50, blue: 0.73),
        Color(red: 0.56, green: 0.27, blue: 0.68), Color(red: 0.20, green: 0.29, blue: 0.37),
    ]
}

extension Color {
    func with(alpha: Double) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }
}
