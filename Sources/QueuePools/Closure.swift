/// A closure that is handed on without counting references, and in the shape of two words.
///
/// The struct around the closure keeps it as it is: passed as a generic parameter by itself, a closure
/// would be wrapped in another one, with an allocation of its own.
@usableFromInline
struct Closure {
    @usableFromInline let body: @Sendable () -> Void

    @inlinable @inline(__always)
    init(_ body: __owned @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Takes the closure back out of its words.
    @inline(__always)
    init(owned words: (UInt, UInt)) {
        var words = words
        self = withUnsafeMutableBytes(of: &words) { bytes in
            bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Closure.self).move()
        }
    }

    /// The closure's words. The caller owns them.
    @inline(__always)
    func intoWords() -> (UInt, UInt) {
        var words: (UInt, UInt) = (0, 0)
        withUnsafeMutableBytes(of: &words) { bytes in
            _ = bytes.baseAddress.unsafelyUnwrapped.initializeMemory(as: Closure.self, to: self)
        }
        return words
    }
}
