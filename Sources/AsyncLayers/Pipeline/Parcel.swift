import QueuePools

/// A picture, or something else that is big, on its way: from the thread that made it to the main actor, and
/// from there to a background queue.
///
/// Giving its memory back costs the main thread milliseconds. So the main actor never holds a picture in a
/// variable, whose reference might be the last to go: it swaps pictures in and out of parcels, which moves them
/// without a further reference, and has the parcel emptied elsewhere.
final class Parcel<Contents: Sendable>: @unchecked Sendable {
    // Touched by one thread at a time: the maker, then the main actor or a cache under its lock, then the job
    // that empties it. Submitting a job, hopping to the main actor, and the lock order their accesses.
    @exclusivity(unchecked) private var contents: Contents?

    init(_ contents: consuming Contents?) { self.contents = consume contents }

    var isEmpty: Bool { contents == nil }

    /// Exchanges what is in the parcel and what is in a variable.
    func exchange(with other: inout Contents?) {
        swap(&contents, &other)
    }

    /// What is in the parcel; whoever asks must not be the last to hold it.
    func peek() -> Contents? { contents }

    /// A second parcel with the same contents.
    func copy() -> Parcel { Parcel(contents) }

    /// Releases what is in the parcel, on the calling thread.
    fileprivate func empty() { _ = contents.take() }
}

extension JobSubmitting {
    /// Releases what is in parcels on a background queue. If the pool was shut down, their last holder does.
    func release<Contents>(_ parcels: [Parcel<Contents>]) {
        guard !parcels.isEmpty else { return }
        _ = try? self.async(qos: .background) {
            for parcel in parcels { parcel.empty() }
        }
    }
}
