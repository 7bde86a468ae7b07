#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization

    /// How the threads of a group end, and are joined.
    extension WorkerGroup {
        /// See ``Parking/retire(vacated:)``. Messages that are sent later get a new thread.
        func retire() { parking.retire(vacated: vacate) }

        /// Ends the calling thread's work for the group. In a retired group the thread joins the one that
        /// came here before; ``joinThreads(while:)`` joins the last one, or the group detaches it. A thread
        /// that has no work detaches itself. The end is counted after the destructors of the thread's values.
        func threadEnds() {
            if parking.isRetired {
                let previous = lastEnded.exchange(cqp_thread_handle(), ordering: .acquiringAndReleasing)
                if previous != 0 {
                    // A destructor of that thread may wait for all others: then not for this one.
                    endingJoiners.wrappingAdd(1, ordering: .relaxed)
                    cqp_thread_join(previous)
                    endingJoiners.wrappingSubtract(1, ordering: .relaxed)
                }
            } else {
                cqp_thread_detach(cqp_thread_handle())
            }
            // Retained until its end is counted: the thread itself retains nothing any more.
            let group = Unmanaged.passRetained(self).toOpaque()
            cqp_thread_at_end(
                { Unmanaged<WorkerGroup>.fromOpaque($0!).takeRetainedValue().countEnd() }, group)
        }

        private func countEnd() {
            unended.pointee.wrappingSubtract(1, ordering: .releasing)
            cqp_futex_wake(unended)
        }

        /// Waits until all threads of a retired group have ended, or none has for 20 ms while `isBusy` has
        /// returned true twenty times: signals may shorten the time between two looks, and a busy system
        /// lengthen it. A destructor of a thread's value that calls this does not wait for its own thread,
        /// nor for others that wait, in their destructors or to join. Relaxed: a thread leaves
        /// `endingJoiners` before it counts its end, with a release, and the count is read first.
        func joinThreads(while isBusy: () -> Bool) {
            // The group of the calling thread, if that is ending: retained until its end is counted.
            let ending = cqp_thread_end_argument().map {
                Unmanaged<WorkerGroup>.fromOpaque($0).takeUnretainedValue()
            }
            ending?.endingJoiners.wrappingAdd(1, ordering: .relaxed)
            defer { ending?.endingJoiners.wrappingSubtract(1, ordering: .relaxed) }
            var (lastCount, busyLooks, since) = (UInt32(0), 0, UInt64(0))
            var count = unended.pointee.load(ordering: .sequentiallyConsistent)
            while count > (ending == nil ? 0 : endingJoiners.load(ordering: .relaxed)) {
                let now = cqp_monotonic_nanoseconds()
                if count != lastCount || !isBusy() { (lastCount, busyLooks, since) = (count, 0, now) }
                if busyLooks >= 20, now - since > 20_000_000 { return }
                busyLooks += 1
                cqp_futex_wait(unended, count, now + 1_000_000)
                count = unended.pointee.load(ordering: .acquiring)
            }
            // The last may wait for an ending thread, or be it.
            if count > 0 { return }
            joining.withLock { _ in
                let last = lastEnded.exchange(0, ordering: .acquiring)
                if last != 0 { cqp_thread_join(last) }
            }
        }
    }
#endif
