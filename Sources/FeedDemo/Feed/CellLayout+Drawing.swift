import AsyncLayers
import BitmapRendering

extension CellLayout {
    /// What is behind the cells.
    static let pageColor = Color(red: 0.945, green: 0.949, blue: 0.961)

    /// Draws the cell. `isCancelled` is asked between the parts that take time.
    func draw(in context: BitmapContext, isCancelled: () -> Bool = { false }) {
        let colors = CellColors(author: item.author)
        drawAvatar(in: context, colors)
        drawBubble(in: context, colors)
        if isCancelled() { return }
        drawHeader(in: context, colors)
        for (row, line) in lines.enumerated() {
            if isCancelled() { return }
            let baseline = text.y + Double(row) * textFont.lineHeight + textFont.ascent
            context.draw(
                line.text, baseline: Point(x: text.x, y: baseline), font: textFont, color: colors.text)
        }
    }

    private func drawAvatar(in context: BitmapContext, _ colors: CellColors) {
        context.fillEllipse(in: avatar, with: .color(colors.avatar))
        let initials = CellColors.initials(of: item.author)
        let font = Self.initialsFont
        let x = avatar.minX + (avatar.size.width - font.width(of: initials)) / 2
        // Capitals stand on the baseline and reach the ascent.
        let baseline = avatar.minY + (avatar.size.height + font.ascent) / 2 - 1
        context.draw(initials, baseline: Point(x: x, y: baseline), font: font, color: .white)
    }

    private func drawBubble(in context: BitmapContext, _ colors: CellColors) {
        let gradient = LinearGradient(
            from: bubble.origin, colors.bubbleTop, to: Point(x: bubble.maxX, y: bubble.maxY),
            colors.bubbleBottom)
        context.fill(bubble, cornerRadius: Self.cornerRadius, with: .linearGradient(gradient))
    }

    private func drawHeader(in context: BitmapContext, _ colors: CellColors) {
        let baseline = header.y + Self.headerFont.ascent
        let right = bubble.maxX - Self.padding
        let label = String(number)
        let labelX = right - Self.numberFont.width(of: label)
        context.draw(
            label, baseline: Point(x: labelX, y: baseline), font: Self.numberFont,
            color: Color(
                red: colors.author.red, green: colors.author.green, blue: colors.author.blue, alpha: 0.6))
        let room = Rect(x: header.x, y: bubble.minY, width: labelX - header.x - Self.gap, height: 40)
        context.withClip(room) {
            context.draw(
                item.author, baseline: Point(x: header.x, y: baseline), font: Self.headerFont,
                color: colors.author)
        }
    }
}
