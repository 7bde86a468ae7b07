import AsyncLayers
import CairoRendering

/// The texts of a cell, and where their lines are kept.
struct CellTexts: Sendable {
    /// Lines of the rows around those in view; rows far away are laid out again when they come.
    private let layouts = LayoutCache<TextContent, TextLayout>(byteLimit: 4 << 20) { $1.byteCount }

    /// Off the main thread: laying text out is what takes longest.
    func body(of post: Post) -> TextLayout {
        layout(Self.body(post.text), lineSpacing: 3)
    }

    func header(of post: Post) -> TextLayout {
        var text = RichText(post.author.name, style: CellStyle.name)
        text.append("  @\(post.author.handle) · \(post.age)", style: CellStyle.details)
        return layout(text, lineLimit: 1, direction: .leftToRight)
    }

    func counts(of post: Post) -> TextLayout { layout(Self.counts(of: post), lineLimit: 1) }

    private func layout(
        _ text: RichText, lineLimit: Int? = nil, lineSpacing: Double = 0,
        direction: TextLayoutOptions.Direction = .automatic
    ) -> TextLayout {
        var options = TextLayoutOptions()
        options.lineLimit = lineLimit
        options.lineSpacing = lineSpacing
        options.direction = direction
        let content = TextContent(text: text, options: options)
        if let layout = try? content.layout(width: CellStyle.textWidth, from: layouts) { return layout }
        // A post may be anything; one that takes more work than a layout may is not shown.
        let notice = TextContent(text: RichText("(not shown)", style: CellStyle.details), options: options)
        guard let layout = try? notice.layout(width: CellStyle.textWidth, from: layouts) else {
            fatalError("a notice is far below all bounds")
        }
        return layout
    }

    /// The heart and its number are the last run.
    static func counts(of post: Post) -> RichText {
        var heart = CellStyle.counts
        if post.isLiked { heart.color = CellStyle.like }
        var text = RichText("↩ \(post.replyCount)      ⇄ \(post.shareCount)      ", style: CellStyle.counts)
        text.append("\(post.isLiked ? "♥" : "♡") \(post.likeCount + (post.isLiked ? 1 : 0))", style: heart)
        return text
    }

    /// Colours @mentions, #tags and addresses, which stand between spaces.
    static func body(_ text: String) -> RichText {
        var rich = RichText()
        var plain = ""
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { plain += " " }
            guard let (mark, color) = mark(String(word)) else {
                plain += word
                continue
            }
            rich.append(plain, style: CellStyle.body)
            plain = ""
            var style = CellStyle.body
            style.color = color
            rich.append(String(word), style: style, mark: mark)
        }
        rich.append(plain, style: CellStyle.body)
        return rich
    }

    private static func mark(_ word: String) -> (TextMark, Color)? {
        if word.hasPrefix("https://") { return (.link(word), CellStyle.link) }
        guard word.count > 1 else { return nil }
        if word.hasPrefix("@") { return (.mention(String(word.dropFirst())), CellStyle.mention) }
        if word.hasPrefix("#") { return (.link(word), CellStyle.link) }
        return nil
    }
}
