import Dispatch

/// The main thread's loop, as layers see it: a clock, a way onto the main actor, a timer, and a way to wait.
///
/// ``MainQueueLoop`` is the one that programs use. A test can have one that moves by hand, so that time and
/// order are its own choice. *Thread-safe*, but for ``sleep(until:)``.
public protocol HostLoop: AnyObject, Sendable {
    /// The time since some moment in the past; never goes backwards.
    var now: Duration { get }

    /// Runs work on the main actor soon: after the caller's own step if it is on the main actor, and in the
    /// order of the calls.
    func perform(_ work: @escaping @MainActor @Sendable () -> Void)

    /// Runs work on the main actor when a time has come; at once if it has passed.
    func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void)

    /// Blocks the main thread until ``wake()`` is called, at most until a time. May return early.
    ///
    /// A call of ``wake()`` that nobody has slept through yet ends the next sleep at once.
    @MainActor func sleep(until time: Duration)

    /// Ends a ``sleep(until:)``, from any thread.
    func wake()
}

/// The loop of a program whose main queue runs: under the main run loop, `dispatchMain()` and `@main async`.
public final class MainQueueLoop: HostLoop {
    private let wakeUps = DispatchSemaphore(value: 0)

    /// Makes a loop; all of them share the one main queue.
    public init() {}

    /// The time since the system started, not counting what it slept.
    public var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

    /// Puts the work on the main queue.
    public func perform(_ work: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { work() }
    }

    /// Puts the work on the main queue when the time has come.
    public func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: Self.deadline(time)) { work() }
    }

    /// Blocks the main thread.
    @MainActor
    public func sleep(until time: Duration) {
        _ = wakeUps.wait(timeout: Self.deadline(time))
    }

    /// Ends a sleep.
    public func wake() { wakeUps.signal() }

    /// A time that no program reaches is as good as never; Dispatch would read it as one in the past.
    private static func deadline(_ time: Duration) -> DispatchTime {
        let (seconds, attoseconds) = time.components
        guard seconds < Int64(1) << 32 else { return .distantFuture }
        guard seconds >= 0, attoseconds >= 0 else { return DispatchTime(uptimeNanoseconds: 1) }
        return DispatchTime(
            uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
    }
}
