import AsyncLayers
import CairoRendering
import FeedKit

/// Draws posts. All work of a cell is done here, on a thread of the pool.
struct CellDrawing: CellPainter {
    let base = CairoRenderer()
    let texts: CellTexts
    let photos: PhotoStore

    func draw(_ layout: PostLayout, in context: CairoContext, isCancelled: () -> Bool) throws {
        let post = layout.post
        context.draw(texts.header(of: post), at: layout.header)
        context.draw(texts.body(of: post), at: layout.body)
        context.draw(texts.counts(of: post), at: layout.counts)
        context.fill(layout.hairline, with: CellStyle.hairline)
        // Some pictures let light through.
        context.fill(
            layout.avatar, cornerRadius: layout.avatar.size.width / 2, with: CellStyle.placeholder)
        try drawPicture(in: layout.avatar, cornerRadius: layout.avatar.size.width / 2, context) {
            try photos.avatar(post.author.picture, scale: context.scale)
        }
        // The photo takes longest; a cell that has left in the meantime does not need it.
        guard !isCancelled(), let rect = layout.photo, let photo = post.photo else { return }
        try drawPicture(
            in: rect, margin: PhotoStore.shadowMargin(scale: context.scale),
            cornerRadius: CellStyle.photoRadius, context
        ) {
            try photos.photo(photo, size: rect.size, scale: context.scale)
        }
    }

    /// A file that cannot be shown leaves a grey area, not a cell without text.
    private func drawPicture(
        in rect: Rect, margin: Double = 0, cornerRadius: Double, _ context: CairoContext,
        _ picture: () throws -> CairoImage?
    ) throws {
        do {
            guard let image = try picture() else { return }
            let place = LayerTransform.translation(x: rect.minX - margin, y: rect.minY - margin)
            try context.draw(image, placed: ContentsPlacement(transform: place))
        } catch is ImageError {
            context.fill(rect, cornerRadius: cornerRadius, with: CellStyle.placeholder)
        }
    }
}

/// What a cell shows until its picture is there: an outline of the top of a post. One picture serves all
/// cells.
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
