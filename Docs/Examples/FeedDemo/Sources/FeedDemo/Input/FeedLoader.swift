import FeedKit
import Foundation

/// Makes the feed: finds the files, reads them, and cuts them into cells.
enum FeedLoader {
    /// The most bytes that all files may hold together: 16 MiB, which makes more cells than any scroll
    /// passes.
    static let maximumByteCount = 16 << 20

    /// The most cells of a feed: a million frames of fast flings do not pass more.
    static let maximumItemCount = 100_000

    /// Reads files and folders, or the checkout's own documents when no path is given.
    ///
    /// - Throws: ``ProgramError`` with `.noInput` for what is missing or unreadable, and `.badData` for what
    ///   is binary, too large, or has no paragraph at all.
    static func load(_ paths: [String], maximumByteCount: Int = FeedLoader.maximumByteCount) throws -> Feed {
        let roots = paths.isEmpty ? try InputFiles.defaultPaths() : paths
        let files = try InputFiles.find(roots)
        var feed = Feed(items: [], fileCount: files.count, isTruncated: false)
        var budget = maximumByteCount
        for file in files {
            let text = try TextFile.read(file, budget: &budget)
            let isMarkdown = ["md", "markdown"].contains(file.pathExtension.lowercased())
            let parse = isMarkdown ? MarkdownDocument.blocks(of:limit:) : PlainText.blocks(of:limit:)
            let blocks = parse(text, maximumItemCount)
            feed.items += items(of: blocks, source: file.deletingPathExtension().lastPathComponent)
            if feed.items.count > maximumItemCount {
                feed.items.removeSubrange(maximumItemCount...)
                feed.isTruncated = true
                break
            }
        }
        guard !feed.items.isEmpty else {
            let what =
                files.isEmpty
                ? "holds no .md, .markdown, .txt or .text file" : "is empty: it has no paragraph"
            throw ProgramError(
                .badData, "the input \(what) (\(roots.map { "'\($0)'" }.joined(separator: ", ")))")
        }
        return feed
    }

    /// The cells of one document. A heading is by the document; what follows it is by the heading.
    static func items(of blocks: [TextBlock], source: String) -> [FeedItem] {
        var items: [FeedItem] = []
        var author = source
        for block in blocks {
            guard items.count <= maximumItemCount else { break }
            if block.kind == .heading { author = source }
            for piece in block.pieces {
                items.append(
                    FeedItem(
                        author: author, source: source, kind: block.kind, text: piece.text, table: piece.table
                    ))
            }
            if block.kind == .heading, let first = TextPieces.split(block.text).first {
                author = String(first.prefix(80))
            }
        }
        return items
    }
}
