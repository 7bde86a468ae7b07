import Testing

@testable import SDLFeed

@Suite("A generated feed")
struct FeedGeneratorTests {
    private func posts(_ count: Int = 2_000, seed: UInt64 = 1, pictures: Int = 8) -> [Post] {
        var generator = FeedGenerator(seed: seed, pictureCount: pictures)
        return generator.posts(count)
    }

    @Test("is the same for the same seed, and another one for another")
    func seeds() {
        #expect(posts() == posts())
        #expect(posts(seed: 2) != posts())
        #expect(posts(10) == Array(posts().prefix(10)))
    }

    @Test("has all kinds of posts")
    func variety() {
        let posts = posts()
        func share(_ holds: (Post) -> Bool) -> Double { Double(posts.count(where: holds)) / 2_000 }
        func has(_ range: ClosedRange<Unicode.Scalar>) -> (Post) -> Bool {
            { $0.text.unicodeScalars.contains { range.contains($0) } }
        }
        #expect((0.5...0.7).contains(share { $0.photo != nil }))
        #expect(share { $0.text.contains("@") } > 0.2)
        #expect(share { $0.text.contains("https://") } > 0.15)
        #expect(share(has("\u{0600}"..."\u{06FF}")) > 0.05)
        #expect(share(has("\u{0590}"..."\u{05FF}")) > 0.02)
        #expect(share(has("\u{4E00}"..."\u{9FFF}")) > 0.05)
        #expect(share(has("\u{3040}"..."\u{309F}")) > 0.02)
        #expect(Set(posts.map(\.author)).count == Author.all.count)
        #expect(Set(posts.compactMap { $0.photo?.picture }) == Set(0..<8))
    }

    @Test("becomes older downwards, and numbers its posts from 0 on")
    func order() {
        let posts = posts()
        #expect(zip(posts, posts.dropFirst()).allSatisfy { $0.minutesAgo <= $1.minutesAgo })
        #expect(posts.map(\.number) == Array(0..<2_000))
    }

    @Test("has believable ages however long it is")
    func longFeed() throws {
        let posts = posts(100_000)
        #expect(zip(posts, posts.dropFirst()).allSatisfy { $0.minutesAgo <= $1.minutesAgo })
        let millennium = 1_000 * 365 * 1_440
        #expect(try #require(posts.last).minutesAgo < millennium)
    }

    @Test("mentions no author in a post of that author")
    func mentions() {
        #expect(!posts().contains { $0.text.split(separator: " ").contains("@\($0.author.handle)") })
    }

    @Test("has no photos where there are no pictures")
    func noPictures() {
        #expect(posts(pictures: 0).allSatisfy { $0.photo == nil })
    }

    @Test(
        "tells how old a post is in the unit that fits",
        arguments: [(0, "now"), (59, "59 min"), (60, "1 h"), (1_439, "23 h"), (1_440, "1 d"), (7_000, "4 d")])
    func age(minutes: Int, text: String) {
        let post = Post(
            number: 0, author: Author.all[0], minutesAgo: minutes, text: "", photo: nil, replyCount: 0,
            shareCount: 0, likeCount: 0)
        #expect(post.age == text)
    }
}
