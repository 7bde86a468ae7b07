import QueuePools

/// What a layer shows, and what is to be known of it.
@MainActor
struct DisplayedPicture<Contents: Sendable> {
    private(set) var picture: Picture<Contents>?
    /// What it shows, if its task said so.
    private(set) var key: RasterKey?
    private(set) var shownAt = Duration.zero
    private(set) var isPlaceholder = false

    nonisolated init() {}

    var isEmpty: Bool { picture == nil }

    /// Swaps a picture in.
    ///
    /// - Returns: the former one, which is released on the pool when its last holder lets go.
    mutating func show(
        _ parcel: Parcel<Picture<Contents>>, key: RasterKey?, isPlaceholder: Bool, at time: Duration,
        pool: any JobSubmitting
    ) -> FormerContents<Contents> {
        let (formerTime, formerIsPlaceholder) = (shownAt, self.isPlaceholder)
        parcel.exchange(with: &picture)
        self.key = key
        self.isPlaceholder = isPlaceholder
        shownAt = time
        return FormerContents(parcel, shownAt: formerTime, isPlaceholder: formerIsPlaceholder, pool: pool)
    }

    mutating func clear(on pool: any JobSubmitting) {
        let parcel = Parcel<Picture<Contents>>(nil)
        parcel.exchange(with: &picture)
        key = nil
        parcel.empty(on: pool)
    }
}
