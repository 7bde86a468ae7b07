#if os(Linux)
    import CLinuxThreads
    import Locks
    import Synchronization
    import Topology

    extension WorkerGroup {
        /// Whether jobs are accepted: there is a thread, or one can be made. Not in a forked child.
        @inline(__always)
        var acceptsJobs: Bool { !isForkedChild && (firstThread.isClaimed || makeFirstThread()) }

        /// Ensures that there is a thread; the first takes about 0.1 ms. Returns false if there can be none.
        @inline(never)
        private func makeFirstThread() -> Bool {
            guard let supervisor = Supervisor.current() else { return false }
            return supervisor.performAndWait {
                if self.firstThread.isClaimed { return true }
                // If one has been asked for, that request may be on its way, or wait to be tried again.
                let isUnclaimed = self.parked.bitwiseAnd(~1, ordering: .acquiring).oldValue & 1 != 0
                let isThere = self.startThread(at: 0, by: supervisor) == .made
                if !isThere, isUnclaimed { self.vacate(0) }
                return isThere
            }
        }

        /// Ensures that what is sent next will be run, by a thread that is made for it if there is none.
        @inline(__always)
        func prepareToSend() { if isForkedChild || !firstThread.isClaimed { requireSupervisor() } }

        @inline(never)
        private func requireSupervisor() {
            require(!isForkedChild, PoolError(.forked, by: .queue(label: settings.label)).description)
            Supervisor.required()
        }

        /// Has a thread made, as soon as the system has one, if there is still work then.
        func makeThread(at index: Int) {
            let supervisor = Supervisor.required()
            @Sendable func make(retryAfter delay: UInt64) {
                switch startThread(at: index, by: supervisor) {
                case .made: break
                // The bit was that of a thread which is awake, and may be busy: so another slot serves.
                case .occupied: if hasWork { wakeIfNeeded() }
                case .needless: vacate(index)
                case .refused:
                    // This slot may have been left just when it was chosen, while another thread sleeps.
                    if hasWork { wakeUnlessOneLooks(makesThread: false) }
                    supervisor.perform(after: delay) {
                        guard self.hasWork else { return self.vacate(index) }
                        make(retryAfter: min(2 * delay, 100 * self.settings.firstRetry))
                    }
                }
            }
            supervisor.perform { make(retryAfter: self.settings.firstRetry) }
        }

        private enum Start { case made, occupied, needless, refused }

        /// On the supervisor's thread.
        ///
        /// Acquires what the slot's last thread wrote there. The bit in `parked` does not always: between two
        /// attempts for one claim, another sender may have had the first thread made, which may have ended.
        ///
        /// A request may come when a shutdown has returned. It counts in `unended` and then looks at
        /// `isRetired`, while a shutdown writes the latter and then reads the former, all sequentially
        /// consistent: so the shutdown waits for the thread, or one is made only for work that came later.
        private func startThread(at index: Int, by supervisor: Supervisor) -> Start {
            let change = threadSlots[index].state.compareExchange(
                expected: ThreadSlot.empty, desired: ThreadSlot.awake, successOrdering: .acquiring,
                failureOrdering: .relaxed)
            guard change.exchanged else { return .occupied }
            unended.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
            let isNeedless = isRetired.load(ordering: .sequentiallyConsistent) && !hasWork
            let thread = WorkerThread(group: self, index: index)
            if !isNeedless, supervisor.makeThread(with: settings, { settings.start(thread) }) {
                _ = firstThread.claim()
                return .made
            }
            threadSlots[index].state.store(ThreadSlot.empty, ordering: .relaxed)
            unended.pointee.wrappingSubtract(1, ordering: .relaxed)
            if isNeedless { return .needless }
            threadFailures.wrappingAdd(1, ordering: .relaxed)
            return .refused
        }

        /// Marks a thread slot without a thread as one for which a thread can be made.
        func vacate(_ index: Int) {
            parked.bitwiseOr(1 << UInt64(index), ordering: .sequentiallyConsistent)
            if hasWork { wakeIfNeeded() }
        }

        /// Has threads end from now on when they have nothing to do. What is sent later gets a new thread.
        func retire() {
            isRetired.store(true, ordering: .sequentiallyConsistent)
            for index in 0..<settings.limit { wakeIfAsleep(index) }
        }

        /// The last that a thread does for the group. In a retired group it joins the thread that came here
        /// before; ``joinThreads(while:)`` joins the last one, or the group detaches it. A thread that has no
        /// work detaches itself. The end is counted after the destructors of the thread's values.
        func threadEnds() {
            if isRetired.load(ordering: .relaxed) {
                let previous = lastEnded.exchange(clinux_thread_handle(), ordering: .acquiringAndReleasing)
                if previous != 0 {
                    // A destructor of that thread may wait for all others: then not for this one.
                    endingJoiners.wrappingAdd(1, ordering: .relaxed)
                    clinux_thread_join(previous)
                    endingJoiners.wrappingSubtract(1, ordering: .relaxed)
                }
            } else {
                clinux_thread_detach(clinux_thread_handle())
            }
            let group = Unmanaged.passRetained(self).toOpaque()
            clinux_thread_at_end(
                { Unmanaged<WorkerGroup>.fromOpaque($0!).takeRetainedValue().countEnd() }, group)
        }

        private func countEnd() {
            unended.pointee.wrappingSubtract(1, ordering: .releasing)
            clinux_futex_wake(unended)
        }

        /// Waits until all threads of a retired group have ended, or none has for 20 ms while `isBusy` has
        /// returned true twenty times: signals may shorten the time between two looks, and a busy system
        /// lengthen it. A destructor of a thread's value that calls this does not wait for its own thread,
        /// nor for others that wait, in their destructors or to join. Relaxed: a thread leaves
        /// `endingJoiners` before it counts its end, with a release, and the count is read first.
        func joinThreads(while isBusy: () -> Bool) {
            // That of the calling thread, if that is ending.
            let ending = clinux_thread_end_argument().map {
                Unmanaged<WorkerGroup>.fromOpaque($0).takeUnretainedValue()
            }
            ending?.endingJoiners.wrappingAdd(1, ordering: .relaxed)
            defer { ending?.endingJoiners.wrappingSubtract(1, ordering: .relaxed) }
            var (lastCount, busyLooks, since) = (UInt32(0), 0, UInt64(0))
            while case let count = unended.pointee.load(ordering: .sequentiallyConsistent),
                count > (ending == nil ? 0 : endingJoiners.load(ordering: .relaxed))
            {
                let now = clinux_monotonic_nanoseconds()
                if count != lastCount || !isBusy() { (lastCount, busyLooks, since) = (count, 0, now) }
                if busyLooks >= 20, now - since > 20_000_000 { return }
                busyLooks += 1
                clinux_futex_wait(unended, count, now + 1_000_000)
            }
            // The last may wait for an ending thread, or be it.
            if ending != nil, unended.pointee.load(ordering: .sequentiallyConsistent) > 0 { return }
            joining.withLock { _ in
                let last = lastEnded.exchange(0, ordering: .acquiring)
                if last != 0 { clinux_thread_join(last) }
            }
        }

        /// Adds the figures of the threads and of unordered jobs to a tier's.
        func add(to statistics: inout TierStatistics) {
            for index in 0..<settings.limit { threadSlots[index].counters.add(to: &statistics, positions: 0) }
            for lane in lanes { lane.takeUnretainedValue().add(to: &statistics) }
            statistics.threads += max(0, threads.load(ordering: .relaxed))
            statistics.threadFailures += threadFailures.load(ordering: .relaxed)
            statistics.schedulingFailures += settings.refusals.value
            for record in records.indices {
                guard let age = records[record].read()?.job.age else { continue }
                statistics.longestRunning = max(age, statistics.longestRunning ?? age)
            }
        }
    }

    /// What the threads of a group are made with.
    struct ThreadSettings: Sendable {
        /// What the threads' names begin with, before the thread's number.
        var label: String
        /// How many threads there are at most.
        var limit = 1
        /// Whether the last thread stays when it has nothing to do.
        var keepsLast = false
        /// Whether the closures of `sync` run on the thread, and not on the caller's.
        var runsSyncOnThread = false
        /// Nil leaves the threads as the process is.
        var scheduling: ThreadScheduling?
        /// The CPUs that the threads are confined to, as far as the process may use them; nil for all.
        var cpus: [Int]?
        /// The node to have memory from; nil leaves that to the system.
        var memoryNode: CPUTopology.Node.ID?
        /// Nil for a queue of its own.
        var tier: QoSTier?
        var threads = ThreadConfiguration()
        var observation: JobObservation?
        /// Whether a thread yields before it sleeps even if it was woken for a single job. False for the tier
        /// that must run immediately: a yield also delays the thread's next wake-up.
        var yieldsAfterSingleJob = true
        /// Nanoseconds until a refused thread is requested again; twice as many after each further refusal,
        /// up to a hundred times as many.
        var firstRetry: UInt64 = 10_000_000
        /// Counts what the kernel refuses the threads, and their queues.
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
