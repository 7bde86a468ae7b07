#if os(Linux)
    import QueuePoolsTopology

    /// How the threads of a group are made, scheduled and named.
    struct ThreadSettings: Sendable {
        /// The first part of the threads' names, before the thread's number.
        var label: String
        /// How many threads there are at most.
        var limit = 1
        /// How many threads can compute at a time.
        var processors = Int.max
        /// See ``Parking``; less in tests.
        var slotsPerWord = Parking.slotsPerWord
        /// Whether the last thread stays when it has nothing to do.
        var keepsLast = false
        /// Whether only these threads run the queues' jobs, also while others wait for that in `sync`.
        var isBound = false
        /// Nil leaves the threads as the process is.
        var scheduling: ThreadScheduling?
        /// The CPUs that the threads are confined to, as far as the process may use them; nil for all.
        var cpus: [Int]?
        /// The node to have memory from; nil leaves that to the system.
        var memoryNode: CPUTopology.Node.ID?
        /// Nil for a ``ThreadBoundQueue``.
        var tier: QoSTier?
        var threads = ThreadOptions()
        var observation: JobObservation?
        /// Whether a thread yields before it sleeps even if it was woken for a single job. False for the tier
        /// that must run immediately: a yield also delays the thread's next wake-up.
        var yieldsAfterSingleJob = true
        /// Nanoseconds until a refused thread is requested again; twice as many after each further refusal,
        /// up to a hundred times as many.
        var firstRetry: UInt64 = 10_000_000
        /// Counts requests of the threads and their queues that the kernel refuses.
        var refusals = RefusalCount()
        /// Makes a thread. Returns 0 or an error number.
        var start: @Sendable (WorkerThread) -> Int32 = { $0.start() }

        func threadLabel(_ index: Int) -> String { limit == 1 ? label : "\(label).\(index)" }

        /// Gives the calling thread its scheduling and its CPUs, as far as the system permits.
        func applyToCurrentThread() {
            if scheduling?.applyToCurrentThread() == false { refusals.increment() }
            if let cpus, !AffinityMask.confineCurrentThread(to: cpus) { refusals.increment() }
        }
    }
#endif
