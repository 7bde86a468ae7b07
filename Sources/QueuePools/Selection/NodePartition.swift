import Synchronization

/// The queues of a tier that belong to one NUMA node, with a counter of their own.
///
/// Unordered jobs go to the next queue in turn; a kind of queue that has something better has a subclass.
@usableFromInline
class NodePartition<Queue: SerialQueue>: @unchecked Sendable {  // nothing in it changes but the atomic turns
    @usableFromInline final let queues: UnsafeMutableBufferPointer<Unmanaged<PooledQueue<Queue>>>
    @usableFromInline final let turns: RoundRobin

    init(_ queues: [PooledQueue<Queue>]) {
        self.queues = .allocate(capacity: queues.count)
        _ = self.queues.initialize(from: queues.map { .passRetained($0) })
        turns = RoundRobin(count: queues.count)
    }

    deinit {
        for queue in queues { queue.release() }
        queues.deallocate()
    }

    /// The next queue in turn.
    @inlinable @inline(__always)
    final var nextQueue: Unmanaged<PooledQueue<Queue>> { queues[turns.next()] }

    /// Submits an unordered job that can be cancelled; nil when it is refused.
    @usableFromInline
    func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
        nextQueue.takeUnretainedValue().submit(consume body)
    }

    /// Submits an unordered job that a task awaits.
    func submit(_ body: consuming @escaping @Sendable () -> Void, because _: AwaitedSubmission) -> PoolJob? {
        submit(consume body)
    }

    /// Submits a step of a task: counted, never refused.
    func submit(_ step: UnownedJob, of executor: PoolTaskExecutor<Queue>) {
        nextQueue._withUnsafeGuaranteedRef { $0.submit(step, of: executor) }
    }

    /// Whether the caller is one of the jobs.
    var isCurrent: Bool { queues.contains { $0.takeUnretainedValue().isCurrent } }

    /// What takes jobs, and must be closed.
    var intakes: [any JobIntake] { queues.map { $0.takeUnretainedValue() } }

    /// Has the threads of the queues end when they have nothing to do, if they are the pool's own; or joins them as well,
    /// unless they run steps.
    func endThreads(joining isJoining: Bool) {}

    /// Adds the figures to a tier's.
    func add(to statistics: inout TierStatistics) {
        for queue in queues { queue.takeUnretainedValue().add(to: &statistics) }
    }
}

/// Why a job is submitted that a task awaits.
enum AwaitedSubmission {
    /// The calling task is about to be suspended for it.
    case suspending
    /// The task was suspended until there is room.
    case room
    /// The task's priority has risen: the job goes before those that wait.
    case priority
}

/// What accepts jobs until it is closed.
protocol JobIntake {
    /// Closes the intake, once; `body` is called when all that was accepted has ended.
    func close(whenDrained body: @escaping @Sendable () -> Void)

    /// Has jobs that have not begun be cancelled when their turn comes.
    func cancelWaiting()
}
