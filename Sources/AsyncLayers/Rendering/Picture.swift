import QueuePools
import Synchronization

/// What a layer shows: a renderer's contents, whose type only those who make and those who show them know.
/// A type that is given to its methods must be that of the renderer that made them.
///
/// Everything in between handles pictures without it. Code that is generic over the renderer looks types up
/// at every step, since an embedder's renderer is not known when this module is compiled: measured, that was
/// most of what a pass cost the main thread (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
///
/// Releasing the contents costs the main thread milliseconds. So what keeps a picture holds it: a draw, a
/// layer that shows it, a cache, a cross-fade. What no longer keeps it leaves it, and the last holder has the
/// contents released elsewhere (``PictureReleases``); references to the emptied object may be anywhere. A
/// holder that leaves a picture which others hold, such as a cache, has nothing to do.
///
/// The contents are written by the thread that empties the picture alone: `leave` releases the reads of a
/// holder, and the last one acquires it. A new holder is made by one that holds it, so the count does not
/// come back from zero.
@usableFromInline
class Picture: @unchecked Sendable {
    /// As far as is known.
    final let byteCount: Int
    private let holders = Atomic<Int>(1)

    fileprivate init(byteCount: Int) { self.byteCount = byteCount }

    /// The same picture, for one holder more.
    final func hold() -> Picture {
        holders.wrappingAdd(1, ordering: .relaxed)
        return self
    }

    /// One holder less. Returns true for the last one, which must have the picture emptied.
    final func leave() -> Bool { holders.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Releases the contents.
    func empty() { fatalError("abstract") }

    /// The contents; nil once they have been released.
    final func contents<Contents: Sendable>(_ type: Contents.Type) -> Contents? {
        unsafeDowncast(self, to: RendererPicture<Contents>.self).contents
    }
}

/// A picture with the renderer's type.
final class RendererPicture<Contents: Sendable>: Picture, @unchecked Sendable {  // see `Picture`
    fileprivate var contents: Contents?

    init(_ contents: Contents, byteCount: Int = 0) {
        self.contents = contents
        super.init(byteCount: byteCount)
    }

    override func empty() { contents = nil }
}

extension JobSubmitting {
    /// Releases a value on the tier background.
    func release<Value: Sendable>(_ value: consuming Value) {
        let box = DeferredRelease(value)
        enqueueRelease { box.value = nil }
    }
}

/// A value on its way to the tier background: the box may be released anywhere.
private final class DeferredRelease<Value: Sendable>: @unchecked Sendable {  // the job's alone
    var value: Value?

    init(_ value: consuming Value) { self.value = value }
}
