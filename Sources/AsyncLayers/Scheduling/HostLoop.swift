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
