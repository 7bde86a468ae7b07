/// What a worker pool notes of each job beyond its statistics. It costs some 100 ns a job.
///
///     let observation = JobObservation(longJobLimit: .milliseconds(250)) { job in
///         log("\(job.queue): \(job.label ?? "a job") runs for \(job.age)")
///     }
///     let pool = try WorkerQueuePool(QueuePoolConfiguration(label: "tiles", observation: observation))
///
/// With it, ``QueuePool/activity(of:)`` knows how long jobs have waited and run.
public struct JobObservation: Sendable {
    /// Jobs that run for longer are reported, once each. At least 1 ms. Default: nil, none is reported.
    public var longJobLimit: Duration?

    /// Is given each job that runs for longer than the limit, at most half of the limit late. Called on a thread of
    /// Dispatch, while the job goes on.
    public var whenJobIsLong: @Sendable (LongJob) -> Void

    /// Is told when a job begins and ends. `TraceRecorder` in `AsyncLayers` is one, which writes files for
    /// Perfetto. Default: nil.
    public var signposts: (any JobSignposts)?

    /// Describes an observation.
    public init(
        longJobLimit: Duration? = nil, signposts: (any JobSignposts)? = nil,
        whenJobIsLong: @escaping @Sendable (LongJob) -> Void = { _ in }
    ) {
        self.longJobLimit = longJobLimit
        self.signposts = signposts
        self.whenJobIsLong = whenJobIsLong
    }

    func validate() throws(PoolError) {
        guard let longJobLimit, longJobLimit < .milliseconds(1) else { return }
        throw PoolError(
            .invalidObservation, "a job is long after 1 ms or more; \(longJobLimit) was asked for")
    }
}

/// A job that runs for longer than ``JobObservation/longJobLimit``.
public struct LongJob: Hashable, Sendable {
    /// The label of its queue; of an unordered job, the name of its thread.
    public var queue: String
    /// What the job calls itself, see ``PoolJob/setLabel(_:)``.
    public var label: String?
    /// How long it has run.
    public var age: Duration
}

/// Marks jobs in a profiler's timeline. *Thread-safe*: called by the threads of jobs. Must not block.
public protocol JobSignposts: AnyObject, Sendable {
    /// Takes the label of a queue, or of a tier for its unordered jobs, and returns a number for it. Called once for each.
    func track(labelled label: String) -> Int

    /// A job of a track begins on the calling thread. One that it runs by `sync` on another queue ends before it does.
    func begin(on track: Int)

    /// The job that began last on the calling thread, and has not ended, ends.
    func end(on track: Int)
}

/// What a queue does at a moment.
public struct QueueActivity: Hashable, Sendable {
    /// The queue's label; for unordered jobs `<pool>.<tier>`.
    public var label: String
    /// How many jobs wait.
    public var waiting = 0
    /// How long the job that has waited longest has waited; nil if none waits, or without ``JobObservation``.
    public var longestWait: Duration?
    /// What runs, with the time for which it has run: one job at most of a queue, one a thread of unordered jobs.
    /// Empty without ``JobObservation``.
    public var running: [RunningJob] = []

    /// A job that runs.
    public struct RunningJob: Hashable, Sendable {
        /// What the job calls itself, see ``PoolJob/setLabel(_:)``.
        public var label: String?
        /// How long it has run.
        public var age: Duration
    }
}
