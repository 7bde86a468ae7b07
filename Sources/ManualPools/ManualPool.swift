public import QueuePools
import QueuePoolsTopology

/// A pool that a test drives by hand: nothing runs until ``QueuePools/QueuePool/runNext(qos:)`` or
/// ``QueuePools/QueuePool/runAll(qos:)`` runs it, on the calling thread.
///
///     let pool = try ManualPool(label: "test")
///     let album = Album(pool: pool)  // the code to be tested
///     album.open()
///     #expect(album.pictures.isEmpty)
///     pool.runAll()
///     #expect(album.pictures.count == 12)
///
/// All else is as in other pools: capacity, keys, cancellation, `run`, executors, statistics, shutdown. It
/// makes no queues beside those of its tiers (`makeQueue(label:qos:)`); a key serves in place of one.
///
/// **Order.** The most urgent tier first; within a tier in the order of submission, whichever of its queues
/// the jobs are on. So the order does not depend on the hashes of keys, nor on the number of queues. A queue
/// that is running a job is left out: a job that calls `runAll()` runs jobs of other queues only.
///
/// **Waiting.** `await pool.run(…)` and `try await pool.shutdown()` return when the test has run the jobs, so
/// it runs them beside the call: <doc:TestingCodeThatTakesAPool> has an example. A job that was cancelled
/// keeps its place, where it does nothing.
///
/// **Releasing.** Dropping the last reference to the pool and its queues releases what waits; it never runs.
/// But a job of `start` or `run` that waits, and a step of a task or an actor, retain the pool, and so all
/// that waits. The job ends when it is cancelled, with its task or by its handle; a step must be run, or its
/// task remains suspended.
public typealias ManualPool = QueuePool<ManualQueue>

extension QueuePool where Queue == ManualQueue {
    /// Makes a pool of manual queues, laid out in the same way on every machine.
    ///
    /// - Parameters:
    ///   - label: the first part of every queue's label. Default: `manual`.
    ///   - queuesPerTier: how many queues each tier has. Default: 2.
    ///   - capacity: how many jobs of each tier may wait, as `QueuePoolOptions.capacity`. Default: any
    ///     number.
    ///   - carrying: the task-local values that jobs carry, as `QueuePoolOptions.carrying`. Default:
    ///     none.
    /// - Throws: `PoolError` for an empty label, no queues, more than 64
    ///   (`QueuePoolOptions.queuesPerTierLimit`), or an impossible capacity.
    public convenience init(
        label: String = "manual", queuesPerTier: Int = 2, capacity: TierCapacities = .unlimited,
        carrying: any CarriedTaskLocal...
    ) throws(PoolError) {
        let agenda = Agenda(isOfPool: true)
        var options = QueuePoolOptions(
            label: label, queuesPerTier: .exactly(queuesPerTier), topology: .singleNode(cpuCount: 1),
            capacity: capacity)
        options.carrying = carrying
        try self.init(options, clock: agenda.clock) { label, tier, _ in
            ManualQueue(label: label, qos: tier, agenda: agenda)
        }
    }

    /// Moves the pool's time on, which otherwise stands still: delayed jobs whose times come wait in their
    /// queues then, to be run, and jobs whose deadlines come expire, in the order of the times. Times that
    /// were given as instants count from the moment of the submission, by the real clock: tests give delays,
    /// or deadlines so far away that a test that stands still for a while does not reach them.
    ///
    ///     let refresh = try pool.start(after: .seconds(30)) { reload() }
    ///     pool.advance(by: .seconds(30))
    ///     pool.runAll()  // reloads
    ///
    /// - Parameter duration: zero or less moves nothing, and enqueues jobs that are due.
    /// - Complexity: O(delays and deadlines), for each that comes.
    public func advance(by duration: Duration) { agenda.clock.advance(by: duration) }

    /// How many jobs, and steps of tasks and actors, wait in all tiers to be run. Jobs whose time has not
    /// come do not count, and cancelled ones do; in `statistics` it is the other way around. O(jobs that
    /// wait).
    public var waitingCount: Int { agenda.waitingCount { _ in true } }

    /// Runs the oldest job that waits in a tier, or in the most urgent tier that has one. O(jobs that wait).
    ///
    /// - Parameter qos: the tier. Default: the most urgent one in which a job waits.
    /// - Returns: false if no job waits there, except in queues that are running one.
    @discardableResult
    public func runNext(qos: QoSTier? = nil) -> Bool {
        agenda.runNext(on: qos.map { [$0] } ?? QoSTier.allCases.reversed())
    }

    /// Runs jobs, also those that jobs submit, until ``runNext(qos:)`` returns false. Does not return while
    /// jobs submit others without end.
    ///
    /// - Parameter qos: the tier. Default: all tiers, the most urgent first.
    /// - Returns: how many.
    @discardableResult
    public func runAll(qos: QoSTier? = nil) -> Int { count(while: runNext(qos: qos)) }

    /// That of all queues of the pool: any of them has it. With a key, which takes no queue's turn.
    private var agenda: Agenda {
        let agenda = queue(for: .default, key: 0).agenda
        guard agenda.isOfPool else {
            fatalError(
                "the queues of the pool \"\(label)\" were made by the program, which runs them one by one")
        }
        return agenda
    }
}
