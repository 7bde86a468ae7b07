/// An author of posts.
struct Author: Hashable, Sendable {
    let name: String
    /// What mentions call the author by, without the "@".
    let handle: String
    /// Which of the folder's pictures is the author's.
    let picture: Int
}

/// One of the folder's pictures, cut to a shape.
struct Photo: Hashable, Sendable {
    /// Which of the folder's pictures.
    let picture: Int
    /// Height in points; the width is the text's.
    let height: Double
}

/// What one cell of the feed shows.
struct Post: Hashable, Sendable {
    /// Its row, from 0 on.
    let number: Int
    let author: Author
    /// How long ago it was written.
    let minutesAgo: Int
    /// Plain text with @mentions, #tags and https:// addresses in it.
    let text: String
    let photo: Photo?
    let replyCount: Int
    let shareCount: Int
    let likeCount: Int
    /// Whether the reader likes it.
    var isLiked = false

    /// "now", "12 min", "5 h" or "3 d".
    var age: String {
        switch minutesAgo {
        case ..<1: "now"
        case ..<60: "\(minutesAgo) min"
        case ..<1_440: "\(minutesAgo / 60) h"
        default: "\(minutesAgo / 1_440) d"
        }
    }
}

extension Author {
    /// The authors of the feed; their pictures repeat.
    static let all: [Author] = [
        ("Ada Lindqvist", "ada"), ("Bruno Okafor", "bruno"), ("Clara Weiss", "clara"),
        ("Davide Sala", "davide"),
        ("ليلى حداد", "layla"), ("Emre Yildiz", "emre"), ("Freja Holm", "freja"), ("山田 花", "hana"),
        ("Gil Peretz", "gil"), ("Ines Duarte", "ines"), ("יעל כהן", "yael"), ("Jonas Petrov", "jonas"),
        ("Kaya Brandt", "kaya"), ("林晓雨", "xiaoyu"), ("Mateo Ruiz", "mateo"), ("Nadia Rahimi", "nadia"),
    ].enumerated().map { Author(name: $1.0, handle: $1.1, picture: $0) }
}
