#if os(Linux)
    import CQueuePoolsThreads

    /// The options of worker pools only: how their threads are made and scheduled, and how their jobs are
    /// observed. Impossible values make the pool's initializer throw ``PoolError``.
    public struct WorkerOptions: Sendable {
        /// How the threads of each tier are scheduled. Default: ``TierScheduling/separated``, each tier below
        /// the one above it; ``TierScheduling/inherited`` switches that off.
        public var scheduling: TierScheduling

        /// How the threads are made, wait and end.
        public var threads: ThreadOptions

        /// The most threads that a tier can have: 512.
        public static let threadsPerTierLimit = 512

        /// How many threads each tier has at most: 1…``threadsPerTierLimit``. Default:
        /// ``TierCounts/automatic``, as many as the tier has queues.
        ///
        /// More of them run more jobs that wait at the same time. They are made when jobs wait for a thread,
        /// and end when they have been idle for a while (``ThreadOptions/idleLimit``). On several
        /// NUMA nodes they are divided as the queues are, with at least one for each node that has queues.
        public var threadsPerTier: TierCounts

        /// How jobs are observed. Default: nil, not at all.
        public var observation: JobObservation?

        /// Describes options.
        public init(
            scheduling: TierScheduling = .separated,
            threads: ThreadOptions = ThreadOptions(), threadsPerTier: TierCounts = .automatic,
            observation: JobObservation? = nil
        ) {
            self.scheduling = scheduling
            self.threads = threads
            self.threadsPerTier = threadsPerTier
            self.observation = observation
        }

        func validate() throws(PoolError) {
            try scheduling.validate()
            try threads.validate()
            try threadsPerTier.validate(1...Self.threadsPerTierLimit, .invalidThreads, of: "threads")
            try observation?.validate()
        }
    }

    /// How threads are made, wait and end. Impossible values make initializers throw ``PoolError``.
    ///
    /// The hooks are called on the thread itself, outside of any queue: they may submit jobs, but must not
    /// wait for jobs that the thread is to run. Several threads call them at once, and retain them.
    public struct ThreadOptions: Sendable {
        /// Called with the thread's label: `<pool>.<tier>.<index>`, `<pool>.<tier>` if the tier has one
        /// thread, or that of a ``ThreadBoundQueue``. Linux cuts it to 15 bytes for the thread's name. Each
        /// NUMA node counts from 0.
        public typealias Hook = @Sendable (_ label: String) -> Void

        /// How long a thread waits for work before it ends. Default: 60 s.
        ///
        /// With zero it ends as soon as it has nothing to do; with more than 292 years it never ends. One
        /// thread of each used tier (and NUMA node) stays, and that of a ``ThreadBoundQueue``.
        public var idleLimit: Duration

        /// The size of a thread's stack in bytes: 64 KiB, or the system's minimum if that is more
        /// (`PTHREAD_STACK_MIN`), to 1 GiB. Default: nil, the system's choice (`ulimit -s`, mostly 8 MiB).
        ///
        /// Linux provides memory only for the part that is used. Where the system has no address space for
        /// the stack, it has no thread: `PoolError.Code.noThread`.
        public var stackSize: Int?

        /// How often a thread that has nothing to do yields before it sleeps;
        /// `Docs/Decisions/0004-worker-queues.md` has the figures. Threads with slices longer than 0.2 ms do
        /// not yield, those of userInteractive only after several jobs.
        package var yieldsBeforeParking = 8

        /// Called before a thread's first job, when it has its name, scheduling and CPUs. Default: nil.
        public var onStart: Hook?

        /// Called after a thread's last job, when another thread may have taken its place. Default: nil. Not
        /// called by threads that are idle when the process exits. Do not call `enqueue` here: after a
        /// shutdown the thread that is made for it would end, too, and so on.
        public var onEnd: Hook?

        /// Describes threads.
        public init(
            idleLimit: Duration = .seconds(60), stackSize: Int? = nil, onStart: Hook? = nil,
            onEnd: Hook? = nil
        ) {
            self.idleLimit = idleLimit
            self.stackSize = stackSize
            self.onStart = onStart
            self.onEnd = onEnd
        }

        func validate() throws(PoolError) {
            // With the system's 16 KiB, Swift's runtime has overflowed the stack in a small job.
            let minimum = max(64 << 10, cqp_minimum_stack_bytes())
            let objection: String? =
                if idleLimit < .zero {
                    "a thread waits for work for zero seconds or more; \(idleLimit.text) was asked for"
                } else if let stackSize, !(minimum...1 << 30).contains(stackSize) {
                    "a stack has \(minimum) to \(1 << 30) bytes; \(stackSize) were asked for"
                } else {
                    nil
                }
            if let objection { throw PoolError(.invalidThreads, objection) }
        }
    }
#endif
