extension Author {
    /// Those who write the feed; the pictures go round.
    static let all: [Author] = [
        ("Ada Lindqvist", "ada"), ("Bruno Okafor", "bruno"), ("Clara Weiss", "clara"),
        ("Davide Sala", "davide"),
        ("ليلى حداد", "layla"), ("Emre Yildiz", "emre"), ("Freja Holm", "freja"), ("山田 花", "hana"),
        ("Gil Peretz", "gil"), ("Ines Duarte", "ines"), ("יעל כהן", "yael"), ("Jonas Petrov", "jonas"),
        ("Kaya Brandt", "kaya"), ("林晓雨", "xiaoyu"), ("Mateo Ruiz", "mateo"), ("Nadia Rahimi", "nadia"),
    ].enumerated().map { Author(name: $1.0, handle: $1.1, picture: $0) }
}
