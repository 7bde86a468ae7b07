/// What a layer shows, and what is to be known of it.
@MainActor
struct DisplayedPicture {
    private(set) var picture: Picture?
    /// What it shows, if its task said so.
    private(set) var key: RasterKey?
    private(set) var shownAt = Duration.zero
    private(set) var isPlaceholder = false

    nonisolated init() {}

    var isEmpty: Bool { picture == nil }

    /// Swaps a picture in; the former one is in the parcel then.
    mutating func show(_ parcel: Parcel<Picture>, key: RasterKey?, isPlaceholder: Bool, at time: Duration) {
        parcel.exchange(with: &picture)
        self.key = key
        self.isPlaceholder = isPlaceholder
        shownAt = time
    }

    /// A parcel with the same picture.
    func copy() -> Parcel<Picture> { Parcel(picture) }
}
