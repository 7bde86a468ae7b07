import AsyncLayers
import CairoRendering
import Testing

@testable import SDLFeed

@Suite("A cell's layout")
struct PostLayoutTests {
    private let texts = CellTexts()

    private var cells: [(post: Post, body: TextLayout, layout: PostLayout)] {
        var generator = FeedGenerator(seed: 3, pictureCount: 8)
        return generator.posts(120).map { post in
            let body = texts.body(of: post)
            return (post, body, PostLayout(post, bodyHeight: body.size.height))
        }
    }

    @Test("puts header, text, photo and counts one below the other, within the cell")
    func order() {
        for (post, body, layout) in cells {
            var bottom = layout.header.y + texts.header(of: post).size.height
            #expect(layout.body.y >= bottom - 2)  // ascenders leave room above them
            bottom = layout.body.y + body.size.height
            #expect(body.size.width <= CellStyle.textWidth)
            #expect((layout.photo == nil) == (post.photo == nil))
            if let photo = layout.photo {
                #expect(photo.minY >= bottom)
                #expect(photo.maxX <= CellStyle.width - CellStyle.inset)
                #expect(photo.size.height == post.photo?.height)
                bottom = photo.maxY
            }
            #expect(layout.avatar.maxY <= layout.counts.y)
            #expect(layout.counts.y >= bottom)
            bottom = layout.counts.y + texts.counts(of: post).size.height
            #expect(layout.hairline.minY >= bottom)
            #expect(layout.hairline.maxY == layout.size.height)
            #expect(layout.size.height >= Skeleton.height)
        }
    }

    @Test("is a whole number of points high, so that cells meet at whole pixels")
    func wholePoints() {
        #expect(cells.allSatisfy { $0.layout.size.height == $0.layout.size.height.rounded() })
    }

    @Test("has the heart where it is clicked")
    func heart() throws {
        for (post, _, layout) in cells {
            // The heart and its number are the last run of the counts.
            let counts = texts.counts(of: post)
            #expect(layout.heart.minX < layout.counts.x + counts.size.width)
            #expect(layout.heart.maxX >= layout.counts.x + counts.size.width)
            #expect(layout.heart.minY <= layout.counts.y)
            #expect(layout.heart.maxY >= layout.counts.y + counts.size.height)
        }
    }
}

@Suite("A cell's text")
struct CellTextsTests {
    @Test("colours mentions, tags and addresses, and nothing else")
    func marks() {
        let text = "@ada look: https://example.org/a #sea, mail me@home or # or @ now"
        let runs = CellTexts.body(text).runs
        #expect(runs.map(\.text).joined() == text)
        #expect(
            runs.compactMap(\.mark) == [.mention("ada"), .link("https://example.org/a"), .link("#sea,")])
        for run in runs {
            switch run.mark {
            case nil: #expect(run.style.color == CellStyle.ink)
            case .link: #expect(run.style.color == CellStyle.link)
            case .mention: #expect(run.style.color == CellStyle.mention)
            }
        }
    }

    @Test("that is read from the right begins at the right")
    func rightToLeft() throws {
        let texts = CellTexts()
        func post(_ text: String) -> Post {
            Post(
                number: 0, author: Author.all[0], minutesAgo: 0, text: text, photo: nil, replyCount: 0,
                shareCount: 0, likeCount: 0)
        }
        let arabic = try #require(texts.body(of: post("ما هذا @ada")).marks.first?.rects.first)
        let latin = try #require(texts.body(of: post("@ada was ist das")).marks.first?.rects.first)
        #expect(latin.minX == 0)
        #expect(arabic.minX > CellStyle.textWidth / 2)
        #expect(arabic.maxX < CellStyle.textWidth)
    }

    @Test("says one like more, and in another colour, when the reader likes the post")
    func likes() {
        let texts = CellTexts()
        var generator = FeedGenerator(seed: 1, pictureCount: 0)
        var post = generator.posts(1)[0]
        let before = texts.counts(of: post)
        post.isLiked = true
        #expect(texts.counts(of: post) !== before)
    }

    @Test("shows a heart that is full and red for a post that the reader likes, and none else")
    func heart() throws {
        var post = Post(
            number: 0, author: Author.all[0], minutesAgo: 0, text: "", photo: nil, replyCount: 3,
            shareCount: 4, likeCount: 41)
        let before = CellTexts.counts(of: post)
        #expect(before.string == "↩ 3      ⇄ 4      ♡ 41")
        #expect(before.runs.allSatisfy { $0.style.color == CellStyle.quiet })
        post.isLiked = true
        let after = CellTexts.counts(of: post)
        #expect(after.string == "↩ 3      ⇄ 4      ♥ 42")
        #expect(after.runs.map(\.text) == ["↩ 3      ⇄ 4      ", "♥ 42"])
        #expect(after.runs.map(\.style.color) == [CellStyle.quiet, CellStyle.like])
    }
}
