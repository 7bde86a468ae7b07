import FeedKit

/// Writes a feed: the same one for the same seed.
struct FeedGenerator: Sendable {
    private var random: SeededGenerator
    private let pictureCount: Int

    /// - Parameter pictureCount: how many pictures there are to be shown; with none, posts have no photos.
    init(seed: UInt64, pictureCount: Int) {
        random = SeededGenerator(seed: seed)
        self.pictureCount = pictureCount
    }

    mutating func posts(_ count: Int) -> [Post] {
        var minutes = 0
        return (0..<max(count, 0)).map { number in
            // The farther down, the farther apart. Growing with the age instead would double it again and
            // again.
            minutes += random.number(in: 0...(2 + number / 40))
            return post(number, minutesAgo: minutes)
        }
    }

    private mutating func post(_ number: Int, minutesAgo: Int) -> Post {
        let author = random.element(of: Author.all)
        let text = text(by: author)
        let hasPhoto = pictureCount > 0 && random.number(in: 1...10) <= 6
        return Post(
            number: number, author: author, minutesAgo: minutesAgo, text: text,
            photo: hasPhoto ? photo() : nil, replyCount: random.number(in: 0...30),
            shareCount: random.number(in: 0...90), likeCount: random.number(in: 0...900))
    }

    /// Few files make many photos: each is cut in a shape of its own, and prepared again, as if its file were
    /// one.
    private mutating func photo() -> Photo {
        Photo(
            picture: random.number(in: 0...pictureCount - 1),
            height: Double(random.number(in: 150...300)))
    }

    private mutating func text(by author: Author) -> String {
        var words: [String]
        switch random.number(in: 1...20) {
        case 1: words = sentences(from: Sentences.arabic, 1...3)
        case 2: words = sentences(from: Sentences.hebrew, 1...3)
        case 3: words = sentences(from: Sentences.chinese, 1...3)
        case 4: words = sentences(from: Sentences.japanese, 1...2)
        case 5: words = sentences(from: Sentences.latin[0], 1...1) + sentences(from: Sentences.arabic, 1...1)
        default: words = sentences(from: random.element(of: Sentences.latin), 1...4)
        }
        if random.oneIn(3) {
            let other = random.element(of: Author.all.filter { $0 != author })
            words.insert("@\(other.handle)", at: random.oneIn(2) ? 0 : words.count)
        }
        if random.oneIn(4) { words.append(random.element(of: Sentences.addresses)) }
        if random.oneIn(3) { words.append(random.element(of: Sentences.tags)) }
        return words.joined(separator: " ")
    }

    /// Some sentences that follow one another, from a random one on.
    private mutating func sentences(from list: [String], _ counts: ClosedRange<Int>) -> [String] {
        let count = min(random.number(in: counts), list.count)
        let first = random.number(in: 0...list.count - 1)
        return (0..<count).map { list[(first + $0) % list.count] }
    }
}
