import QueuePools

/// What a layer shows: a renderer's contents, whose type only those who make and those who show them know.
/// A type that is given to its methods must be that of the renderer that made them.
///
/// Everything in between handles pictures without it. Code that is generic over the renderer looks types up
/// at every step, since an embedder's renderer is not known when this module is compiled: measured, that was
/// most of what a pass cost the main thread (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
@usableFromInline
class Picture: @unchecked Sendable {  // nothing in it changes
    fileprivate var isWhole: Bool { fatalError("abstract") }

    fileprivate init() {}

    /// The contents, if they are in one piece.
    final func whole<Contents: Sendable>(_ type: Contents.Type) -> Contents? {
        isWhole ? unsafeDowncast(self, to: WholePicture<Contents>.self).contents : nil
    }

    /// The contents in tiles; empty if they are in one piece.
    final func tiles<Contents: Sendable>(_ type: Contents.Type) -> [ContentsTile<Contents>] {
        isWhole ? [] : unsafeDowncast(self, to: TiledPicture<Contents>.self).tiles
    }
}

final class WholePicture<Contents: Sendable>: Picture, @unchecked Sendable {
    fileprivate let contents: Contents

    init(_ contents: Contents) { self.contents = contents }

    override fileprivate var isWhole: Bool { true }
}

final class TiledPicture<Contents: Sendable>: Picture, @unchecked Sendable {
    fileprivate let tiles: [ContentsTile<Contents>]

    init(_ tiles: [ContentsTile<Contents>]) { self.tiles = tiles }

    override fileprivate var isWhole: Bool { false }
}

/// A picture, or another large object, on its way from the thread that made it to the main actor, and from
/// there to a background queue.
///
/// Releasing its memory costs the main thread milliseconds. So the main actor never keeps a picture in a
/// variable, whose reference might be the last: it swaps pictures in and out of these boxes, which moves them
/// without a further reference, and the box is emptied on another thread.
final class DeferredRelease<Contents: Sendable>: @unchecked Sendable {
    // Touched by one thread at a time: the maker, then the main actor or a cache under its lock, then the job
    // that empties it. Submitting a job, hopping to the main actor, and the lock order their accesses.
    @exclusivity(unchecked) fileprivate var contents: Contents?

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
}

extension JobSubmitting {
    /// Releases what is in boxes on a background queue. If the pool was shut down, their last holder does.
    func release<Contents>(_ boxes: [DeferredRelease<Contents>]) {
        guard !boxes.isEmpty else { return }
        _ = try? self.async(qos: .background) {
            for box in boxes { _ = box.contents.take() }
        }
    }
}
