import AsyncLayers
import BitmapRendering

extension BitmapCellLayout {
    /// Draws the cell. `isCancelled` is asked between the parts that take time.
    func draw(in context: BitmapContext, isCancelled: () -> Bool) {
        let colors = CellColors(author: item.author)
        drawAvatar(in: context, colors)
        drawBubble(in: context, colors)
        if isCancelled() { return }
        drawHeader(in: context, colors)
        if let table { return draw(table, in: context, colors, isCancelled: isCancelled) }
        let text = geometry.content
        for (row, line) in lines.enumerated() {
            if isCancelled() { return }
            let baseline = text.y + Double(row) * textFont.lineHeight + textFont.ascent
            context.draw(
                line.text, baseline: Point(x: text.x, y: baseline), font: textFont, color: colors.text)
        }
    }

    private func draw(
        _ table: TableGeometry, in context: BitmapContext, _ colors: CellColors, isCancelled: () -> Bool
    ) {
        let origin = geometry.content
        for rule in table.rules { context.fill(rule.moved(by: origin), with: .color(colors.rule)) }
        for (cell, lines) in zip(table.cells, tableLines) {
            if isCancelled() { return }
            let font = cell.isBold ? Self.tableHeaderFont : Self.tableFont
            var baseline = origin.y + cell.frame.minY + font.ascent
            for line in lines {
                context.draw(
                    line.text, baseline: Point(x: origin.x + cell.frame.minX, y: baseline), font: font,
                    color: colors.text)
                baseline += font.lineHeight
            }
        }
    }

    private func drawAvatar(in context: BitmapContext, _ colors: CellColors) {
        let avatar = geometry.avatar
        context.fillEllipse(in: avatar, with: .color(colors.avatar))
        let initials = CellColors.initials(of: item.author)
        let font = Self.initialsFont
        let x = avatar.midX - font.width(of: initials) / 2
        // Capitals stand on the baseline and reach the ascent.
        let baseline = avatar.midY + font.ascent / 2 - 1
        context.draw(initials, baseline: Point(x: x, y: baseline), font: font, color: .white)
    }

    private func drawBubble(in context: BitmapContext, _ colors: CellColors) {
        let bubble = geometry.bubble
        let gradient = LinearGradient(
            from: bubble.origin, colors.bubbleTop, to: Point(x: bubble.maxX, y: bubble.maxY),
            colors.bubbleBottom)
        context.fill(bubble, cornerRadius: CellGeometry.cornerRadius, with: .linearGradient(gradient))
    }

    private func drawHeader(in context: BitmapContext, _ colors: CellColors) {
        let header = geometry.header
        let baseline = header.y + Self.headerFont.ascent
        let label = String(number)
        let labelX = geometry.headerEnd - Self.numberFont.width(of: label)
        context.draw(
            label, baseline: Point(x: labelX, y: baseline), font: Self.numberFont, color: colors.number)
        let room = Rect(
            x: header.x, y: geometry.bubble.minY, width: labelX - header.x - CellGeometry.gap, height: 40)
        context.withClip(room) {
            context.draw(
                item.author, baseline: Point(x: header.x, y: baseline), font: Self.headerFont,
                color: colors.author)
        }
    }
}
