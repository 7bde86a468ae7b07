#if os(Linux)
    import CLinuxThreads
    import Synchronization

    extension WorkerGroup {
        // MARK: Waking

        /// Called when something has been made ready.
        @inline(__always)
        func wakeIfNeeded() {
            guard parked.load(ordering: .sequentiallyConsistent) != 0 else { return }
            wakeUnlessOneLooks()
        }

        /// Called when a step of a task or an actor has been sent. If a thread of this group did it, that thread will look
        /// for it when its own step ends, which is usually soon, and so cheaper than waking another.
        ///
        /// A thread postpones one wake-up at a time, and for as long as its step takes, but not for much longer than a
        /// millisecond: then the supervisor wakes another thread. It looks every millisecond while steps are sent like that,
        /// as does Go's monitor thread.
        ///
        /// - Parameter step: where the step is.
        @inline(__always)
        func wakeForStep(_ step: WorkerThread.Next) {
            guard parked.load(ordering: .sequentiallyConsistent) != 0 else { return }
            if let thread = WorkerThread.current, thread.group === self, postpone(step, by: thread) { return }
            wakeUnlessOneLooks()
        }

        private func postpone(_ step: WorkerThread.Next, by thread: WorkerThread) -> Bool {
            let seat = seats + thread.index
            guard seat.pointee.postponed.load(ordering: .relaxed) == 0 else { return false }
            thread.postponements += 1
            seat.pointee.postponed.store(thread.postponements, ordering: .sequentiallyConsistent)
            if !isWatched.load(ordering: .sequentiallyConsistent) { beginWatching() }
            thread.next = step
            return true
        }

        /// The thread looks for what it has sent.
        func endPostponement(_ index: Int) { seats[index].postponed.store(0, ordering: .relaxed) }

        @inline(never)
        private func beginWatching() {
            guard !isWatched.exchange(true, ordering: .relaxed) else { return }
            let supervisor = Supervisor.required()
            supervisor.perform { self.watch(by: supervisor, seen: [], idleRounds: 0) }
        }

        /// On the supervisor's thread, every millisecond.
        ///
        /// It takes back `isWatched` and looks at `postponed` once more, while a thread writes the latter and then reads the
        /// former, all sequentially consistent: so one of them continues watching, and the exchange says which.
        private func watch(by supervisor: Supervisor, seen: [UInt64], idleRounds: Int) {
            let present = (0..<settings.limit).map { seats[$0].postponed.load(ordering: .acquiring) }
            if zip(seen, present).contains(where: { $0 == $1 && $0 != 0 }), mayHaveWork { wakeIfNeeded() }
            let isIdle = present.allSatisfy { $0 == 0 }
            if isIdle, idleRounds >= 10 {
                isWatched.store(false, ordering: .sequentiallyConsistent)
                let isNeeded = (0..<settings.limit).contains {
                    seats[$0].postponed.load(ordering: .sequentiallyConsistent) != 0
                }
                guard isNeeded, !isWatched.exchange(true, ordering: .relaxed) else { return }
            }
            supervisor.perform(after: 1_000_000) {
                self.watch(by: supervisor, seen: present, idleRounds: isIdle ? idleRounds + 1 : 0)
            }
        }

        /// Called after a look at `parked`, which is why the second may be relaxed. Claiming a bit acquires what its thread
        /// wrote to its seat. Looking at seats is relaxed: the claim of a bit is followed by a closer look.
        ///
        /// - Parameter makesThread: whether a thread is made if none sleeps.
        @inline(never)
        func wakeUnlessOneLooks(makesThread: Bool = true) {
            guard !isForked, looking.load(ordering: .sequentiallyConsistent) == 0 else {
                return
            }
            var seen = parked.load(ordering: .relaxed)
            while seen != 0 {
                let sleeper = (0..<settings.limit).first {
                    seen & 1 << UInt64($0) != 0 && seats[$0].state.load(ordering: .relaxed) == Seat.asleep
                }
                guard sleeper != nil || makesThread else { return }
                let index = sleeper ?? seen.trailingZeroBitCount
                let claim = parked.compareExchange(
                    expected: seen, desired: seen & ~(1 << UInt64(index)), successOrdering: .acquiring,
                    failureOrdering: .relaxed)
                if claim.exchanged {
                    if !rouse(index) { makeThread(at: index) }
                    return
                }
                seen = claim.original
            }
        }

        /// Wakes the thread of a seat whose bit the caller has cleared. False if it has none. Releasing, so that the thread
        /// finds at once what it is woken for.
        func rouse(_ index: Int) -> Bool {
            let before = seats[index].state.exchange(Seat.awake, ordering: .releasing)
            guard before == Seat.asleep else { return false }
            clinux_futex_wake(UnsafeRawPointer(seats + index))
            return true
        }

        func wakeIfAsleep(_ index: Int) {
            let bit: UInt64 = 1 << UInt64(index)
            let before = parked.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
            if before & bit != 0, !rouse(index) { vacate(index) }
        }

        // MARK: What threads do when they have nothing to do

        /// Relaxed: a sender that does not see it wakes a thread more.
        func beginLooking() { looking.wrappingAdd(1, ordering: .relaxed) }

        func endLooking() { looking.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

        /// Wakes another thread if there is more to do. A thread that has looked, or was woken, calls this when it has
        /// taken something and before it runs it: senders may have relied on it, and not woken others.
        func passOnWakeUp() {
            if parked.load(ordering: .sequentiallyConsistent) != 0, hasWork {
                wakeUnlessOneLooks()
            }
        }

        /// Sleeps until there may be something to do. False if the thread must end.
        func park(_ index: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(index)
            let seat = seats + index
            seat.pointee.state.store(Seat.asleep, ordering: .relaxed)
            parked.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            if hasWork, parked.bitwiseAnd(~bit, ordering: .relaxed).oldValue & bit != 0 {
                return true
            }
            let lifetime = settings.keepsFirst && index == 0 ? nil : settings.threads.idleLifetime
            while seat.pointee.state.load(ordering: .acquiring) == Seat.asleep {
                let deadline = lifetime.map { clinux_monotonic_nanoseconds().advanced(by: $0) } ?? .max
                if !isRetired.load(ordering: .relaxed) {
                    clinux_futex_wait(UnsafeRawPointer(seat), Seat.asleep, deadline)
                }
                guard isRetired.load(ordering: .relaxed) || clinux_monotonic_nanoseconds() >= deadline
                else { continue }
                // Relaxed: a thread that ends passes nothing on.
                let (hasLeft, _) = seat.pointee.state.compareExchange(
                    expected: Seat.asleep, desired: Seat.empty, ordering: .relaxed)
                if hasLeft {
                    threads.wrappingSubtract(1, ordering: .relaxed)
                    return false
                }
            }
            return true
        }
    }
#endif
