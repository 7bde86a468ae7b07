import AsyncLayers
import CairoRendering

/// Draws a post. The whole work of a cell is in here: it runs on a pool's thread.
struct CellDrawing: Sendable {
    let texts: CellTexts
    let photos: PhotoStore

    func draw(_ post: Post, _ layout: CellLayout, in context: CairoContext, scope: DrawScope) throws {
        context.draw(texts.header(of: post), at: layout.header)
        context.draw(texts.body(of: post), at: layout.body)
        context.draw(texts.counts(of: post), at: layout.counts)
        context.fill(layout.hairline, with: CellStyle.hairline)
        // Some pictures let light through.
        context.fill(
            layout.avatar, cornerRadius: layout.avatar.size.width / 2, with: CellStyle.placeholder)
        try drawPicture(in: layout.avatar, cornerRadius: layout.avatar.size.width / 2, context) {
            try photos.avatar(post.author.picture, scale: scope.scale)
        }
        // The photo takes longest; a cell that has left meanwhile does not need it.
        try scope.checkCancellation()
        guard let rect = layout.photo, let photo = post.photo else { return }
        try drawPicture(
            in: rect, margin: PhotoStore.shadowMargin(scale: scope.scale),
            cornerRadius: CellStyle.photoRadius, context
        ) {
            try photos.photo(photo, size: rect.size, scale: scope.scale)
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
