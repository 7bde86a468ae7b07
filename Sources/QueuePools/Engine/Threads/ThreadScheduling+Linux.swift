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
            var wanted = clinux_scheduling(
                policy: kernelPolicy, nice: min(19, max(-20, base + Int32(niceIncrement))),
                slice_nanoseconds: slice.map { UInt64($0.components.attoseconds / 1_000_000_000) } ?? 0)
            var isDone = clinux_thread_set_scheduling(&wanted) == 0
            let isComplete = isDone
            if !isDone {
                var present = clinux_scheduling()
                if clinux_thread_get_scheduling(&present) == 0 {
                    wanted.nice = max(wanted.nice, present.nice)
                    isDone = clinux_thread_set_scheduling(&wanted) == 0
                }
            }
            if isDone, clinux_is_first_thread() {
                Self.incrementOfFirstThread.store(wanted.nice - base, ordering: .relaxed)
            }
            return isComplete
        }

        private static let incrementOfFirstThread = Atomic<Int32>(0)

        /// Whether the calling thread's slice is so short that a yield costs it little. Not where slices
        /// cannot be chosen, before Linux 6.12.
        static var isCurrentSliceShort: Bool {
            var scheduling = clinux_scheduling()
            return clinux_thread_get_scheduling(&scheduling) == 0
                && (1...200_000).contains(scheduling.slice_nanoseconds)
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
