/// A closure that is passed on without counting references, in the form of two words. The struct keeps it as
/// it is: passed as a generic parameter, a closure would be wrapped in another one, which is allocated. A
/// closure that does not escape takes it from an optional variable: so the job alone retains the captures.
@usableFromInline
struct Closure {
    @usableFromInline let body: @Sendable () -> Void

    @inlinable @inline(__always)
    init(_ body: __owned @escaping @Sendable () -> Void) { self.body = body }

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
