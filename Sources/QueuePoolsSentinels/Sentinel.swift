import Synchronization

/// An atomic generation counter: raise it, and every ticket taken before is cancelled.
///
/// A draw takes a ``Ticket`` when it is requested and looks at it between its steps; the caller that makes
/// that draw stale calls ``increase()``. One counter serves any number of draws, nothing has to be registered
/// or removed, and no list of cancelled ids can grow. The idea is YYSentinel's (2015), which read its counter
/// without atomics.
///
/// It is a class on purpose: ports that made it a struct captured a copy in the draw's closure, and that copy
/// never changed again.
///
/// *Thread-safe*: every member may be used from any thread at any time. Each is O(1), lock-free, and one
/// atomic operation.
public final class Sentinel: Sendable {
    // Invariant: the value never decreases (it would take centuries of increments to wrap 64 bits).
    //
    // Ordering: the increment releases and the load acquires, so a thread that finds a ticket cancelled also
    // sees what the canceller wrote before it raised the counter, such as the new state to draw instead. A
    // load that runs before the increment arrives is merely early: the draw continues to its next check.
    private let generation: Atomic<UInt64>

    /// Makes a sentinel whose value is 0.
    public init() { generation = Atomic(0) }

    /// The current generation: 0 at first, and the number of calls to ``increase()`` so far.
    public var value: UInt64 { generation.load(ordering: .acquiring) }

    /// Cancels every ticket taken so far.
    ///
    /// - Returns: the new value, given to no other caller.
    @discardableResult
    public func increase() -> UInt64 { generation.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

    /// Takes a ticket of the current generation.
    public func ticket() -> Ticket { Ticket(sentinel: self, value: value) }

    /// Raises the generation and takes the ticket of the new one, in one step. Between `increase()` and
    /// `ticket()` another thread could call `increase()`, and the ticket would outlive the cancellation that
    /// was meant for it.
    public func increaseAndTakeTicket() -> Ticket { Ticket(sentinel: self, value: increase()) }
}
