#if Cairo
    import AsyncLayers
    import CairoRendering
    import FeedKit

    /// A cell of text in any script, and below it a picture in some cells.
    struct CairoCellLayout: CellLayout {
        let item: FeedItem
        let number: Int
        let geometry: CellGeometry
        /// The file that is shown below the text.
        let picture: String?
        /// Where it is shown.
        let pictureRect: Rect
        let header: TextContent
        /// What the author's name is given beside the number, in points.
        let headerWidth: Double
        let text: TextContent
        /// Where the texts of a table are, which are drawn instead of the text.
        let table: TableGeometry?
        /// The author's, in the avatar.
        let initials: TextContent
        /// The number, in the corner.
        let label: TextContent
        let colors: CellColors

        /// Every picture is shown in this shape, cut where its own is another, so that no file need be read
        /// to know how high a cell is.
        private static let pictureAspect = 1.6

        init(
            item: FeedItem, number: Int, width: Double, picture: String?,
            layouts: LayoutCache<TextContent, TextLayout>
        ) {
            self.item = item
            self.number = number
            self.picture = picture
            colors = CellColors(author: item.author)
            header = Self.header(item.author, colors)
            text = TextContent(text: RichText(item.text, style: Self.style(item.kind, colors)))

            let initialsStyle = TextStyle(size: CellGeometry.initialsSize, weight: .bold, color: .white)
            initials = TextContent(
                text: RichText(CellColors.initials(of: item.author), style: initialsStyle))
            let labelStyle = TextStyle(size: CellGeometry.numberSize, color: colors.number)
            label = TextContent(text: RichText(String(number), style: labelStyle))

            // In whole points, so that pictures stand on whole pixels.
            let contentWidth = CellGeometry.contentWidth(ofCell: width)
            let headerHeight = header.layoutOrNotice(width: contentWidth, from: layouts).size.height.rounded(
                .up)
            let textColor = colors.text
            table = item.table.map { Self.geometry($0, width: contentWidth, textColor, layouts) }
            let textHeight =
                table?.size.height.rounded(.up)
                ?? text.layoutOrNotice(width: contentWidth, from: layouts).size.height.rounded(.up)
            let pictureHeight = (contentWidth / Self.pictureAspect).rounded()
            geometry = CellGeometry(
                width: width, headerHeight: headerHeight,
                contentHeight: textHeight + (picture == nil ? 0 : CellGeometry.padding + pictureHeight))
            pictureRect = Rect(
                x: geometry.content.x, y: geometry.content.y + textHeight + CellGeometry.padding,
                width: contentWidth, height: pictureHeight)

            // Laid out here like the rest, and only found again when the cell is drawn: the first run of
            // several would pay for it otherwise.
            let labelWidth = label.layoutOrNotice(width: .infinity, from: layouts).size.width
            headerWidth = geometry.headerEnd - labelWidth - CellGeometry.gap - geometry.header.x
            _ = header.layoutOrNotice(width: headerWidth, from: layouts)
            _ = initials.layoutOrNotice(width: .infinity, from: layouts)
        }

        var size: Size { geometry.size }

        private static func header(_ author: String, _ colors: CellColors) -> TextContent {
            let style = TextStyle(size: CellGeometry.headerSize, weight: .bold, color: colors.author)
            var options = TextLayoutOptions()
            options.lineLimit = 1
            return TextContent(text: RichText(author, style: style), options: options)
        }

        /// Places a table's texts, and keeps the layouts of those that are drawn.
        private static func geometry(
            _ table: MarkdownTable, width: Double, _ color: Color,
            _ layouts: LayoutCache<TextContent, TextLayout>
        ) -> TableGeometry {
            // What is only measured is in this cache, and is released with it.
            let measured = LayoutCache<TextContent, TextLayout>(byteLimit: 64 << 20) { $1.byteCount }
            let geometry = TableGeometry(table, width: width) { text, isBold, width in
                tableText(text, isBold: isBold, color).layoutOrNotice(width: width, from: measured).size
            }
            for cell in geometry.cells {
                let content = tableText(cell.text, isBold: cell.isBold, color)
                _ = layouts.layout(for: content, width: cell.frame.size.width) {
                    content.layoutOrNotice(width: $0, from: measured)
                }
            }
            return geometry
        }

        static func tableText(_ text: String, isBold: Bool, _ color: Color) -> TextContent {
            let size = CellGeometry.textSize(.table)
            return TextContent(
                text: RichText(
                    text, style: TextStyle(size: size, weight: isBold ? .bold : .regular, color: color)))
        }

        private static func style(_ kind: FeedItem.Kind, _ colors: CellColors) -> TextStyle {
            var style = TextStyle(size: CellGeometry.textSize(kind), color: colors.text)
            switch kind {
            case .heading: style.weight = .bold
            case .code: style.family = "monospace"
            case .quote: style.isItalic = true
            case .paragraph, .listItem, .table: break
            }
            return style
        }
    }

    extension TextContent {
        /// The layout; that of a short notice if the text, which is from any file, takes more work than a
        /// layout may.
        func layoutOrNotice(width: Double, from layouts: LayoutCache<TextContent, TextLayout>) -> TextLayout {
            do {
                return try layout(width: width, from: layouts)
            } catch {
                let style = text.runs.first?.style ?? TextStyle()
                let notice = TextContent(text: RichText("(not shown)", style: style), options: options)
                guard let layout = try? notice.layout(width: width, from: layouts) else {
                    fatalError("a notice is far below all bounds")
                }
                return layout
            }
        }
    }
#endif
