import QueuePoolsLocks
public import QueuePools

/// A serial queue without a thread: its jobs wait until ``runNext()`` or ``runAll()`` runs them, on the
/// calling thread.
///
///     let queue = ManualQueue(label: "decoder")
///     queue.enqueue { print("decoded") }
///     queue.runNext()  // prints it
///
/// It runs one job at a time: while one runs, a call from within it, or from another thread, runs no other.
/// What waits when the last reference to a queue, or to the last queue of a ``ManualPool``, is dropped is
/// released and never runs. *Thread-safe.*
public final class ManualQueue: SerialQueue, ContextFreeQueue {
    /// The queue's name.
    public let label: String

    /// The tier that the queue belongs to.
    public let qos: QoSTier

    /// What waits in this queue, and in the others of its pool.
    let agenda: Agenda

    /// Makes an empty queue that belongs to no ``ManualPool``.
    ///
    /// - Parameters:
    ///   - label: the queue's name. Default: `manual`.
    ///   - qos: how urgent its jobs are, which a single queue makes no use of. Default: `.default`.
    public convenience init(label: String = "manual", qos: QoSTier = .default) {
        self.init(label: label, qos: qos, agenda: Agenda(isOfPool: false))
    }

    init(label: String, qos: QoSTier, agenda: Agenda) {
        self.label = label
        self.qos = qos
        self.agenda = agenda
    }

    /// Adds a job behind those that wait. O(1).
    public func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
        agenda.add(Agenda.Job(queue: ObjectIdentifier(self), body: job), on: qos)
    }

    /// True within a job of this queue, on the thread that runs it.
    public var isCurrent: Bool { agenda.isRunning(ObjectIdentifier(self)) }

    /// How many jobs wait; a pool's cancelled ones count. O(jobs that wait).
    public var waitingCount: Int { agenda.waitingCount { $0.queue == ObjectIdentifier(self) } }

    /// Runs the oldest job that waits. O(jobs that wait in the tier).
    ///
    /// - Returns: false if no job waits, or one of this queue is running.
    @discardableResult
    public func runNext() -> Bool { agenda.runNext(on: [qos], of: ObjectIdentifier(self)) }

    /// Runs jobs, also those that jobs add, until ``runNext()`` returns false.
    ///
    /// - Returns: how many.
    @discardableResult
    public func runAll() -> Int { count(while: runNext()) }
}

/// The jobs of the queues that are driven together. *Thread-safe.*
final class Agenda: Sendable {
    /// A job that waits. It does not retain its queue, which retains the agenda.
    struct Job: Sendable {
        let queue: ObjectIdentifier
        let body: @Sendable () -> Void
    }

    private struct State {
        /// Of each tier, in the order of submission.
        var jobs = QoSTier.allCases.map { _ in [Job]() }
        /// The queues that run a job, and the threads that do it.
        var threads: [ObjectIdentifier: ThreadIdentity] = [:]
    }

    /// Whether the queues are those of a ``ManualPool``.
    let isOfPool: Bool
    let clock = ManualClock()
    private let state = Lock(State())

    init(isOfPool: Bool) { self.isOfPool = isOfPool }

    func add(_ job: Job, on tier: QoSTier) { state.withLock { $0.jobs[tier.rawValue].append(job) } }

    func isRunning(_ queue: ObjectIdentifier) -> Bool {
        state.withLock { $0.threads[queue] } == .current
    }

    func waitingCount(where isCounted: (Job) -> Bool) -> Int {
        state.withLock { state in state.jobs.reduce(0) { $0 + $1.count(where: isCounted) } }
    }

    /// Runs the oldest job of the first tier that has one, of one queue or of any that is not running.
    func runNext(on tiers: some Sequence<QoSTier>, of queue: ObjectIdentifier? = nil) -> Bool {
        let job: Job? = state.withLock { state in
            for tier in tiers.map(\.rawValue) {
                let index = state.jobs[tier].firstIndex {
                    $0.queue == queue ?? $0.queue && state.threads[$0.queue] == nil
                }
                guard let index else { continue }
                let job = state.jobs[tier].remove(at: index)
                state.threads[job.queue] = .current
                return job
            }
            return nil
        }
        guard let job else { return false }
        withoutContext(job.body)
        state.withLock { $0.threads[job.queue] = nil }
        return true
    }
}

/// Evaluates a condition until it is false, and returns how often it was true.
func count(while isTrue: @autoclosure () -> Bool) -> Int {
    var count = 0
    while isTrue() { count += 1 }
    return count
}
