/// A piece of work's view of a ``Sentinel``: the generation it belongs to, and the counter to compare with.
///
/// Copies are cheap (a reference and a number) and all of them are cancelled together. A ticket retains the
/// counter, and nothing else. *Thread-safe.*
public struct Ticket: Sendable {
    private let sentinel: Sentinel

    /// The generation that this ticket was taken in.
    public let value: UInt64

    init(sentinel: Sentinel, value: UInt64) {
        self.sentinel = sentinel
        self.value = value
    }

    /// True once the sentinel has been raised after this ticket was taken; never false again after that. One
    /// atomic load: cheap enough for every row of a picture.
    @inlinable
    public var isCancelled: Bool { currentValue != value }

    /// Throws `CancellationError` if ``isCancelled``, for draws that are written with `try`.
    @inlinable
    public func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }

    @usableFromInline
    var currentValue: UInt64 { sentinel.value }
}
