#if os(Linux)
    import CLinuxThreads
    import Synchronization

    extension ThreadScheduling {
        /// Schedules the calling thread this way, for good.
        ///
        /// For a main thread: `ThreadScheduling().applyToCurrentThread()` leaves its priority and gives it a
        /// slice as short as a worker's. With Linux's default slice it waits some 4 ms, until the next tick,
        /// when it wakes up on a processor where a worker draws. In return, a worker that it wakes no longer
        /// interrupts it: the job begins when this thread sleeps, or up to a tick later where no other
        /// processor takes it.
        ///
        /// - Returns: false if the values are impossible, or the kernel refuses some of it; then the rest is
        ///   done.
        @discardableResult
        public func applyToCurrentThread() -> Bool {
            guard (try? validate()) != nil else { return false }
            // What this function has added to the first thread's nice value is not the process's.
            let base = clinux_process_nice() - Self.incrementOfFirstThread.load(ordering: .relaxed)
            let isComplete = Self.set(
                clinux_scheduling(
                    policy: kernelPolicy, nice: min(19, max(-20, base + Int32(niceIncrement))),
                    slice_nanoseconds: slice.map { UInt64($0.components.attoseconds / 1_000_000_000) } ?? 0))
            if clinux_is_first_thread() {
                Self.incrementOfFirstThread.store(clinux_process_nice() - base, ordering: .relaxed)
            }
            return isComplete
        }

        /// Schedules the calling thread as the process is, which is how its first thread is scheduled, with or without
        /// what ``applyToCurrentThread()`` has added to that thread's nice value. If it is so already, only reads.
        ///
        /// - Returns: false if the kernel refuses some of it.
        static func takeSchedulingOfProcess() -> Bool {
            guard let own = ofThread(0), var process = ofThread(clinux_first_thread()) else { return true }
            let base = process.nice - incrementOfFirstThread.load(ordering: .relaxed)
            process.nice = min(max(own.nice, min(base, process.nice)), max(base, process.nice))
            let isAlike =
                (own.policy, own.nice, own.slice_nanoseconds)
                == (process.policy, process.nice, process.slice_nanoseconds)
            return isAlike || set(process)
        }

        /// Returns false if the kernel refuses some of it: a better nice value, for one. Then the rest is done.
        private static func set(_ wanted: clinux_scheduling) -> Bool {
            var wanted = wanted
            if clinux_thread_set_scheduling(&wanted) == 0 { return true }
            if let present = ofThread(0) {
                wanted.nice = max(wanted.nice, present.nice)
                _ = clinux_thread_set_scheduling(&wanted)
            }
            return false
        }

        /// Nil if the kernel does not say.
        private static func ofThread(_ thread: Int32) -> clinux_scheduling? {
            var scheduling = clinux_scheduling()
            return clinux_thread_get_scheduling(thread, &scheduling) == 0 ? scheduling : nil
        }

        /// The nice value of the calling thread.
        static var currentNice: Int32 { ofThread(0)?.nice ?? 0 }

        private static let incrementOfFirstThread = Atomic<Int32>(0)

        /// Whether the calling thread's slice is so short that a yield costs it little. Not where slices
        /// cannot be chosen, before Linux 6.12.
        static var isCurrentSliceShort: Bool {
            guard let own = ofThread(0) else { return false }
            return (1...200_000).contains(own.slice_nanoseconds)
        }

        private var kernelPolicy: UInt32 {
            switch policy {
            case .normal: clinux_policy_normal
            case .batch: clinux_policy_batch
            case .idle: clinux_policy_idle
            }
        }
    }
#endif
