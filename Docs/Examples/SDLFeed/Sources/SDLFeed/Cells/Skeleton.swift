import AsyncLayers
import CairoRendering

/// What a cell shows until its picture is there: an outline of the top of a post. One picture serves all cells.
enum Skeleton {
    static let height = 96.0

    static func image(scale: Double) throws -> CairoImage {
        let renderer = CairoRenderer()
        let context = try renderer.makeContext(
            ContextDescription(
                pixelWidth: Int((CellStyle.width * scale).rounded()),
                pixelHeight: Int((height * scale).rounded()),
                scale: scale, isOpaque: true))
        renderer.fill(context, with: CellStyle.page)
        let avatar = Rect(
            x: CellStyle.inset, y: 14, width: CellStyle.avatarExtent, height: CellStyle.avatarExtent)
        context.fill(avatar, cornerRadius: CellStyle.avatarExtent / 2, with: CellStyle.placeholder)
        for (line, width) in [140, CellStyle.textWidth, CellStyle.textWidth * 0.7].enumerated() {
            let bar = Rect(x: CellStyle.textLeft, y: 17 + 24 * Double(line), width: width, height: 11)
            context.fill(bar, cornerRadius: 5.5, with: CellStyle.placeholder)
        }
        return try renderer.makeContents(from: context)
    }
}
