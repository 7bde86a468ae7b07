#if os(Linux)
    import Topology

    /// What a worker and its thread are made with.
    struct WorkerSettings: Sendable {
        /// Nil leaves the thread as the process is.
        var scheduling: ThreadScheduling?
        /// The CPUs that the thread is bound to; nil binds it to none.
        var cpus: [Int]?
        var memory = MailboxMemory.process
        var yieldsBeforeParking = QueuePoolConfiguration.defaultYieldsBeforeParking
        /// Whether the thread yields before it sleeps even if it was woken for a single job. If not, only one
        /// that has had several expects more: for the tier that must be at a processor at once, since yields
        /// are remembered.
        var yieldsAfterSingleJob = true
        var waits = TimeHistogram()

        /// Gives the calling thread its scheduling and its CPUs, as far as the system lets it.
        func applyToCurrentThread() {
            scheduling?.applyToCurrentThread()
            if let cpus { AffinityMask.bindCurrentThread(to: cpus) }
        }
    }
#endif
