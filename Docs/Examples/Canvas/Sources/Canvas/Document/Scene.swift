import AsyncLayers
import CairoRendering

/// What stands on the canvas and does not change: shapes, labels and pictures. Drawn by several threads at a
/// time.
final class Scene: Sendable {
    struct Item: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case box(Color, cornerRadius: Double)
            case ring(Color, width: Double)
            case label(String, size: Double, Color)
            /// The number of a picture.
            case picture(Int)
        }

        let frame: Rect
        let kind: Kind
    }

    let size: Size
    let items: [Item]
    private let index: GridIndex
    private let pictures: [CairoImage]
    private let layouts = LayoutCache<RichText, TextLayout>(byteLimit: 8 << 20) { $1.byteCount }

    init(size: Size, items: [Item], pictures: [CairoImage]) {
        (self.size, self.items, self.pictures) = (size, items, pictures)
        index = GridIndex(items.map(\.frame), size: size)
    }

    /// The numbers of the items in an area, those at the back first.
    func numbers(in area: Rect) -> [Int] { index.numbers(in: area) }

    /// Draws what lies in an area, on a page.
    func draw(in context: CairoContext, area: Rect, isCancelled: () -> Bool) throws {
        context.fill(area, with: Palette.page)
        drawRules(in: context, area: area)
        for number in numbers(in: area) {
            if isCancelled() { return }
            try draw(items[number], in: context)
        }
    }

    private func draw(_ item: Item, in context: CairoContext) throws {
        switch item.kind {
        case .box(let color, let radius): context.fill(item.frame, cornerRadius: radius, with: color)
        case .ring(let color, let width):
            let inner = item.frame.inset(by: width)
            context.fill(item.frame, cornerRadius: item.frame.size.width / 2, with: color)
            context.fill(inner, cornerRadius: inner.size.width / 2, with: Palette.page)
        case .label(let text, let size, let color):
            // It cannot be read: a bar looks similar, and needs no letters.
            guard size * context.scale >= 3 else {
                let bar = item.frame.inset(by: EdgeInsets(top: size * 0.4, bottom: size * 0.5))
                return context.fill(
                    bar, with: Color(red: color.red, green: color.green, blue: color.blue, alpha: 0.4))
            }
            let text = RichText(text, style: TextStyle(size: size, weight: .medium, color: color))
            context.draw(
                try layouts.layout(for: text, width: .infinity) { _ in try TextLayout(text) },
                at: item.frame.origin)
        case .picture(let number): try context.draw(pictures[number], in: item.frame, cornerRadius: 10)
        }
    }

    /// Hairlines every hundred points, which show seams and blurred places at a glance.
    private func drawRules(in context: CairoContext, area: Rect) {
        let step = context.scale >= 0.5 ? 100.0 : 1_000
        let width = 1 / context.scale
        func places(_ low: Double, _ high: Double) -> [Double] {
            Array(stride(from: (low / step).rounded(.down) * step, through: high, by: step))
        }
        for x in places(area.minX, area.maxX) {
            context.fill(Rect(x: x, y: area.minY, width: width, height: area.size.height), with: Palette.rule)
        }
        for y in places(area.minY, area.maxY) {
            context.fill(Rect(x: area.minX, y: y, width: area.size.width, height: width), with: Palette.rule)
        }
    }
}

enum Palette {
    static let page = Color(red: 0.984, green: 0.980, blue: 0.969)
    static let rule = Color(red: 0.90, green: 0.89, blue: 0.87)
    static let margin = Color(red: 0.45, green: 0.47, blue: 0.50)
    static let ink = Color(red: 0.086, green: 0.106, blue: 0.137)
    static let accent = Color(red: 0.075, green: 0.416, blue: 0.816)
    static let shapes = [
        Color(red: 0.91, green: 0.30, blue: 0.24), Color(red: 0.95, green: 0.61, blue: 0.07),
        Color(red: 0.18, green: 0.60, blue: 0.42), Color(red: 0.16, green: 0.50, blue: 0.73),
        Color(red: 0.56, green: 0.27, blue: 0.68), Color(red: 0.20, green: 0.29, blue: 0.37),
    ]
}
