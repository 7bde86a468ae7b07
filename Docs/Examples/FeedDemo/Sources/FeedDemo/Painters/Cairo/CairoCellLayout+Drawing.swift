#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import CairoRendering

    extension CairoCellLayout {
        /// Draws the cell. `isCancelled` is asked between the parts that take time.
        func draw(
            in context: CairoContext, layouts: LayoutCache<TextContent, TextLayout>, images: ImageCache,
            isCancelled: () -> Bool
        ) {
            drawAvatar(in: context, layouts)
            drawBubble(in: context)
            if isCancelled() { return }
            drawHeader(in: context, layouts)
            if let table {
                draw(table, in: context, layouts, isCancelled: isCancelled)
            } else {
                context.draw(
                    text.layoutOrNotice(width: pictureRect.size.width, from: layouts), at: geometry.content)
            }
            if isCancelled() { return }
            if let picture { draw(picture, in: context, images) }
        }

        private func draw(
            _ table: TableGeometry, in context: CairoContext,
            _ layouts: LayoutCache<TextContent, TextLayout>, isCancelled: () -> Bool
        ) {
            let origin = geometry.content
            for rule in table.rules { context.fill(rule.moved(by: origin), with: colors.rule) }
            for cell in table.cells {
                if isCancelled() { return }
                let content = Self.tableText(cell.text, isBold: cell.isBold, colors.text)
                context.draw(
                    content.layoutOrNotice(width: cell.frame.size.width, from: layouts),
                    at: cell.frame.origin + origin)
            }
        }

        private func drawAvatar(
            in context: CairoContext, _ layouts: LayoutCache<TextContent, TextLayout>
        ) {
            let avatar = geometry.avatar
            context.fill(avatar, cornerRadius: avatar.size.width / 2, with: colors.avatar)
            let initials = initials.layoutOrNotice(width: .infinity, from: layouts)
            context.draw(initials, at: Rect(center: avatar.center, size: initials.size).origin)
        }

        private func drawBubble(in context: CairoContext) {
            let bubble = geometry.bubble
            let gradient = cairo_pattern_create_linear(bubble.minX, bubble.minY, bubble.maxX, bubble.maxY)
            defer { cairo_pattern_destroy(gradient) }
            for (offset, color) in [(0.0, colors.bubbleTop), (1.0, colors.bubbleBottom)] {
                cairo_pattern_add_color_stop_rgb(gradient, offset, color.red, color.green, color.blue)
            }
            cairo_set_source(context.cairo, gradient)
            context.addRectangle(bubble, cornerRadius: CellGeometry.cornerRadius)
            cairo_fill(context.cairo)
        }

        private func drawHeader(
            in context: CairoContext, _ layouts: LayoutCache<TextContent, TextLayout>
        ) {
            let label = label.layoutOrNotice(width: .infinity, from: layouts)
            let labelX = geometry.headerEnd - label.size.width
            let author = header.layoutOrNotice(width: headerWidth, from: layouts)
            context.draw(author, at: geometry.header)
            // On the author's baseline.
            let labelY = geometry.header.y + author.firstBaseline - label.firstBaseline
            context.draw(label, at: Point(x: labelX, y: labelY))
        }

        private func draw(_ file: String, in context: CairoContext, _ images: ImageCache) {
            let size = pictureRect.size
            let key = PictureKey(file: file, size: size, scale: context.scale)
            do {
                let image = try images.image(for: key) {
                    try ImageDecoder().decode(contentsOfFile: file)
                        .resized(to: size, scale: context.scale, cornerRadius: Self.pictureCornerRadius)
                }
                try context.draw(image, in: pictureRect)
            } catch {
                // It could be read before the run, and can no longer: its place stays empty.
                context.fill(pictureRect, cornerRadius: Self.pictureCornerRadius, with: colors.bubbleBottom)
            }
        }

        private static let pictureCornerRadius = 8.0
    }

    /// All that a picture depends on as cells show it.
    private struct PictureKey: Hashable, Sendable {
        let file: String
        let size: Size
        let scale: Double
    }
#endif
