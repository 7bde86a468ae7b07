import QueuePools

/// A picture on its way: from the thread that made it to the main actor, and from there to a background
/// queue.
///
/// Pictures are big, and giving their memory back costs the main thread milliseconds. So the main actor never
/// holds one in a variable, whose reference might be the last to go: it swaps pictures in and out of parcels,
/// which moves them without a further reference, and sends the parcel away to be emptied.
final class Parcel<Contents: Sendable>: @unchecked Sendable {
    // Touched by one thread at a time: the maker, then the main actor or a cache under its lock, then the job
    // that empties it. Submitting a job, hopping to the main actor, and the lock order their accesses.
    private var contents: Contents?

    init(_ contents: consuming Contents?) { self.contents = consume contents }

    /// Exchanges what is in the parcel and what is in a variable.
    func exchange(with other: inout Contents?) {
        swap(&contents, &other)
    }

    /// What is in the parcel; whoever asks must not be the last to hold it.
    func peek() -> Contents? { contents }

    /// A second parcel with the same picture.
    func copy() -> Parcel { Parcel(contents) }

    /// Releases what is in the parcel on a background queue. If the pool was shut down, the parcel's last
    /// holder releases it.
    func empty(on pool: any JobSubmitting) {
        guard contents != nil else { return }
        _ = try? pool.async(qos: .background) { self.contents = nil }
    }
}
