import AsyncLayers
import BitmapRendering
import FeedKit

/// A cell of text in the stroke font, which has the letters of Latin-1.
struct BitmapCellLayout: CellLayout {
    let item: FeedItem
    let number: Int
    let geometry: CellGeometry
    let textFont: StrokeFont
    let lines: [StrokeFont.Line]

    static let headerFont = StrokeFont(size: CellGeometry.headerSize, weight: .bold)
    static let initialsFont = StrokeFont(size: CellGeometry.initialsSize, weight: .bold)
    static let numberFont = StrokeFont(size: CellGeometry.numberSize)

    init(item: FeedItem, number: Int, width: Double) {
        self.item = item.simplified
        self.number = number
        textFont = StrokeFont(
            size: CellGeometry.textSize(item.kind), weight: item.kind == .heading ? .bold : .regular)
        lines = textFont.wrap(self.item.text, width: CellGeometry.contentWidth(ofCell: width))
        geometry = CellGeometry(
            width: width, headerHeight: Self.headerFont.lineHeight,
            contentHeight: Double(lines.count) * textFont.lineHeight)
    }

    var size: Size { geometry.size }
}
