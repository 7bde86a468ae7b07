import AsyncLayers
import BitmapRendering
import FeedKit

/// A cell of text in the stroke font, which has the letters of Latin-1.
struct BitmapCellLayout: CellLayout {
    let item: FeedItem
    let number: Int
    let geometry: CellGeometry
    let textFont: StrokeFont
    /// The text's; none where a table is drawn.
    let lines: [StrokeFont.Line]
    /// Where the texts of a table are.
    let table: TableGeometry?
    /// The lines of each of the table's texts.
    let tableLines: [[StrokeFont.Line]]

    static let headerFont = StrokeFont(size: CellGeometry.headerSize, weight: .bold)
    static let initialsFont = StrokeFont(size: CellGeometry.initialsSize, weight: .bold)
    static let numberFont = StrokeFont(size: CellGeometry.numberSize)
    static let tableFont = StrokeFont(size: CellGeometry.textSize(.table))
    static let tableHeaderFont = StrokeFont(size: CellGeometry.textSize(.table), weight: .bold)

    init(item: FeedItem, number: Int, width: Double) {
        self.item = item.simplified
        self.number = number
        textFont = StrokeFont(
            size: CellGeometry.textSize(item.kind), weight: item.kind == .heading ? .bold : .regular)
        let contentWidth = CellGeometry.contentWidth(ofCell: width)
        table = self.item.table.map { TableGeometry($0, width: contentWidth, measure: Self.measure) }
        tableLines = table?.cells.map(Self.lines) ?? []
        lines = table == nil ? textFont.wrap(self.item.text, width: contentWidth) : []
        geometry = CellGeometry(
            width: width, headerHeight: Self.headerFont.lineHeight,
            contentHeight: table?.size.height ?? Double(lines.count) * textFont.lineHeight)
    }

    var size: Size { geometry.size }

    private static func lines(of cell: TableGeometry.Cell) -> [StrokeFont.Line] {
        (cell.isBold ? tableHeaderFont : tableFont).wrap(cell.text, width: cell.frame.size.width)
    }

    private static func measure(_ text: String, isBold: Bool, width: Double) -> Size {
        let font = isBold ? tableHeaderFont : tableFont
        let lines = font.wrap(text, width: width)
        return Size(
            width: lines.lazy.map(\.width).max() ?? 0, height: Double(lines.count) * font.lineHeight)
    }
}
