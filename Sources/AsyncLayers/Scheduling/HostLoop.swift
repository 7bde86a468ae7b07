import Dispatch

/// The main thread's loop, as layers see it: a clock, work for the main actor, timers, and sleep.
///
/// Programs use ``MainQueueLoop``. A test can have one that it advances itself. *Thread-safe*, except for
/// ``sleep(until:)``.
public protocol HostLoop: AnyObject, Sendable {
    /// The time since some moment in the past; monotonic.
    var now: Duration { get }

    /// Runs work on the main actor soon, in the order of the calls; never within the call.
    func perform(_ work: @escaping @MainActor @Sendable () -> Void)

    /// Runs work on the main actor at a time; soon if it has passed.
    ///
    /// - Returns: what cancels it.
    @discardableResult
    func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void) -> HostTimer

    /// Blocks the main thread until ``wake()`` is called, at most until a time. May return early.
    ///
    /// A call of ``wake()`` while the thread does not sleep ends the next sleep immediately.
    @MainActor func sleep(until time: Duration)

    /// Ends a ``sleep(until:)``, from any thread.
    func wake()
}

/// Work that a ``HostLoop`` will run at a time. *Thread-safe.*
public struct HostTimer: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Makes a timer.
    ///
    /// - Parameter onCancel: releases the work, unless it has run; called any number of times.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Releases the work, unless it has run.
    public func cancel() { onCancel() }
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

    /// Puts the work on the main queue at the time.
    @discardableResult
    public func perform(
        at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void
    ) -> HostTimer {
        // Dispatch's objects are thread-safe; their Swift type does not say so.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: .main)
        source.schedule(deadline: Self.deadline(time))
        source.setEventHandler {
            MainActor.assumeIsolated(work)
            source.cancel()
        }
        source.activate()
        return HostTimer { source.cancel() }
    }

    /// Blocks the main thread.
    @MainActor
    public func sleep(until time: Duration) {
        _ = wakeUps.wait(timeout: Self.deadline(time))
    }

    /// Ends a sleep.
    public func wake() { wakeUps.signal() }

    /// A time that no program reaches is never; Dispatch would read it as one in the past.
    private static func deadline(_ time: Duration) -> DispatchTime {
        let (seconds, attoseconds) = time.components
        guard seconds < Int64(1) << 32 else { return .distantFuture }
        guard seconds >= 0, attoseconds >= 0 else { return DispatchTime(uptimeNanoseconds: 1) }
        return DispatchTime(
            uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
    }
}
