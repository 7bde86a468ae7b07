import QueuePools

/// A picture, or another large object, on its way from the thread that made it to the main actor, and from
/// there to a background queue.
///
/// Releasing its memory costs the main thread milliseconds. So the main actor never keeps a picture in a
/// variable, whose reference might be the last: it swaps pictures in and out of these boxes, which moves them
/// without a further reference, and the box is emptied on another thread.
final class DeferredRelease<Contents: Sendable>: @unchecked Sendable {
    // Touched by one thread at a time: the maker, then the main actor or a cache under its lock, then the job
    // that empties it. Submitting a job, hopping to the main actor, and the lock order their accesses.
    @exclusivity(unchecked) private var contents: Contents?

    /// The bytes of a picture, as far as is known.
    @exclusivity(unchecked) var byteCount: Int

    init(_ contents: consuming Contents?, byteCount: Int = 0) {
        self.contents = consume contents
        self.byteCount = byteCount
    }

    var isEmpty: Bool { contents == nil }

    /// Exchanges what is in the box and what is in a variable.
    func exchange(with other: inout Contents?) {
        swap(&contents, &other)
    }

    /// What is in the box; the caller must not hold the last reference to it.
    func peek() -> Contents? { contents }

    /// A second box with the same contents.
    func copy() -> DeferredRelease { DeferredRelease(contents, byteCount: byteCount) }

    /// Releases what is in the box, on the calling thread.
    fileprivate func empty() { _ = contents.take() }
}

extension JobSubmitting {
    /// Releases what is in boxes on a background queue. If the pool was shut down, their last holder does.
    func release<Contents>(_ boxes: [DeferredRelease<Contents>]) {
        guard !boxes.isEmpty else { return }
        _ = try? self.async(qos: .background) {
            for box in boxes { box.empty() }
        }
    }
}
