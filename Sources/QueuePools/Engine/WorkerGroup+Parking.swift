#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// How threads are woken, look for work, park, and end; and the steps that they keep to run next.
    extension WorkerGroup {
        /// Called when something has been made ready.
        @inline(__always)
        func wakeIfNeeded() {
            guard parked.load(ordering: .sequentiallyConsistent) != 0 else { return }
            wakeUnlessOneLooks()
        }

        /// Wakes a thread, or may have one made if none sleeps. Called after a look at `parked`, which is why
        /// the second may be relaxed. Claiming a bit acquires what its thread wrote to its slot; looking at
        /// slots is relaxed, because ``wake(_:)`` follows.
        @inline(never)
        func wakeUnlessOneLooks(makesThread: Bool = true) {
            guard looking.load(ordering: .sequentiallyConsistent) == 0 else { return }
            var seen = parked.load(ordering: .relaxed)
            while seen != 0 {
                let sleeper = (0..<settings.limit).first {
                    seen & 1 << UInt64($0) != 0
                        && threadSlots[$0].state.load(ordering: .relaxed) == ThreadSlot.asleep
                }
                guard sleeper != nil || makesThread else { return }
                let index = sleeper ?? seen.trailingZeroBitCount
                let claim = parked.compareExchange(
                    expected: seen, desired: seen & ~(1 << UInt64(index)), successOrdering: .acquiring,
                    failureOrdering: .relaxed)
                if claim.exchanged {
                    if !wake(index) { makeThread(at: index) }
                    return
                }
                seen = claim.original
            }
        }

        /// Wakes the thread of a slot whose bit the caller has cleared. Returns false if none sleeps there.
        /// Releasing, so that the thread finds what it is woken for.
        func wake(_ index: Int) -> Bool {
            let change = threadSlots[index].state.compareExchange(
                expected: ThreadSlot.asleep, desired: ThreadSlot.awake, ordering: .releasing)
            guard change.exchanged else { return false }
            clinux_futex_wake(UnsafeRawPointer(threadSlots + index))
            return true
        }

        func wakeIfAsleep(_ index: Int) {
            let bit: UInt64 = 1 << UInt64(index)
            let before = parked.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
            if before & bit != 0, !wake(index) { vacate(index) }
        }

        /// Has the calling thread, if it is one of the group's, run what its job has just sent when that job
        /// ends, which is cheaper than another thread. Returns false if it is not, or keeps something
        /// already. Other threads do not see it, unless it is in a lane. But the supervisor looks every
        /// millisecond while anything is kept, as Go's monitor thread does, and sends what it has
        /// seen in two looks in a row.
        ///
        /// The words are written before `kept`, which releases them. The supervisor acquires that, reads
        /// them, and then takes them by replacing the number, which is never used again. That releases that
        /// they have been read, and looking at `kept` acquires it, before the thread writes others.
        ///
        /// - Parameters:
        ///   - first: the step of a task; or the number of a queue to run, or of a lane that has a job.
        ///   - second: the executor of the step; or `queueMark`, or `laneMark`.
        func keep(_ first: UInt, _ second: UInt) -> Bool {
            guard let thread = WorkerThread.current, thread.group === self else { return false }
            let slot = threadSlots + thread.index
            guard slot.pointee.kept.load(ordering: .acquiring) == 0 else { return false }
            slot.pointee.first.store(first, ordering: .relaxed)
            slot.pointee.second.store(second, ordering: .relaxed)
            let number = slot.pointee.keptCount.load(ordering: .relaxed) + 1
            slot.pointee.keptCount.store(number, ordering: .relaxed)
            thread.keepsNext = true
            slot.pointee.kept.store(number, ordering: .sequentiallyConsistent)
            if !isWatched.load(ordering: .sequentiallyConsistent) { beginWatching() }
            return true
        }

        static let queueMark: UInt = 0
        static let laneMark: UInt = 1

        /// Takes what a thread keeps, if it still does. Called by the thread.
        func takeKept(_ index: Int) -> (UInt, UInt)? {
            let words = threadSlots[index].words
            return threadSlots[index].kept.exchange(0, ordering: .relaxed) == 0 ? nil : words
        }

        /// Lets any thread run what a thread has kept.
        func send(_ first: UInt, _ second: UInt) {
            if second == Self.queueMark { return makeReady(Int(first)) }
            if second != Self.laneMark {
                lanes[nextLane]._withUnsafeGuaranteedRef { $0.send(.taskStep, (first, second)) }
            }
            wakeIfNeeded()
        }

        @inline(never)
        private func beginWatching() {
            guard !isWatched.exchange(true, ordering: .relaxed) else { return }
            let supervisor = Supervisor.required()
            supervisor.perform { self.watch(by: supervisor, seen: [], idleRounds: 0) }
        }

        /// Called on the supervisor's thread, every millisecond. It resets `isWatched` and looks at `kept`
        /// once more, while a thread writes the latter and then reads the former, all sequentially
        /// consistent: so one of them continues, and the exchange says which.
        private func watch(by supervisor: Supervisor, seen: [UInt64], idleRounds: Int) {
            let present = (0..<settings.limit).map { threadSlots[$0].kept.load(ordering: .acquiring) }
            for (index, number) in seen.enumerated() where number != 0 && number == present[index] {
                let words = threadSlots[index].words
                let taken = threadSlots[index].kept.compareExchange(
                    expected: number, desired: 0, ordering: .releasing)
                if taken.exchanged { send(words.0, words.1) }
            }
            let isIdle = present.allSatisfy { $0 == 0 }
            if isIdle, idleRounds >= 10 {
                isWatched.store(false, ordering: .sequentiallyConsistent)
                let isNeeded = (0..<settings.limit).contains {
                    threadSlots[$0].kept.load(ordering: .sequentiallyConsistent) != 0
                }
                guard isNeeded, !isWatched.exchange(true, ordering: .relaxed) else { return }
            }
            supervisor.perform(after: 1_000_000) {
                self.watch(by: supervisor, seen: present, idleRounds: isIdle ? idleRounds + 1 : 0)
            }
        }

        /// Relaxed: a sender that does not see it wakes one thread more.
        func beginLooking() { looking.wrappingAdd(1, ordering: .relaxed) }

        func endLooking() { looking.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

        /// Wakes another thread if there is more to do. A thread that has looked, or was woken, calls this
        /// when it has taken something and before it runs it: senders may have relied on it.
        func passOnWakeUp() {
            if parked.load(ordering: .sequentiallyConsistent) != 0, hasWork { wakeUnlessOneLooks() }
        }

        /// Sleeps until there may be something to do. Returns false if the thread must end.
        func park(_ index: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(index)
            let slot = threadSlots + index
            slot.pointee.state.store(ThreadSlot.asleep, ordering: .relaxed)
            parked.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            if hasWork, parked.bitwiseAnd(~bit, ordering: .relaxed).oldValue & bit != 0 {
                // Relaxed: a waker that still finds it asleep writes the same.
                slot.pointee.state.store(ThreadSlot.awake, ordering: .relaxed)
                return true
            }
            var lifetime: Duration? = settings.threads.idleLifetime
            while slot.pointee.state.load(ordering: .acquiring) == ThreadSlot.asleep {
                let deadline = lifetime.map { clinux_monotonic_nanoseconds().advanced(by: $0) } ?? .max
                if !isRetired.load(ordering: .relaxed) {
                    clinux_futex_wait(UnsafeRawPointer(slot), ThreadSlot.asleep, deadline)
                }
                guard isRetired.load(ordering: .relaxed) || clinux_monotonic_nanoseconds() >= deadline
                else { continue }
                guard leaveThreads() else {
                    lifetime = nil
                    continue
                }
                // Releasing: the slot's next thread counts further what this one has counted there.
                let (hasLeft, _) = slot.pointee.state.compareExchange(
                    expected: ThreadSlot.asleep, desired: ThreadSlot.empty, ordering: .releasing)
                if hasLeft { return false }
                threads.wrappingAdd(1, ordering: .relaxed)
            }
            return true
        }

        /// Takes a thread off the count. Returns false if it is the last one, and stays. Relaxed: it is one
        /// word.
        private func leaveThreads() -> Bool {
            var count = threads.load(ordering: .relaxed)
            while count > 1 || !settings.keepsLast || isRetired.load(ordering: .relaxed) {
                let change = threads.weakCompareExchange(
                    expected: count, desired: count - 1, ordering: .relaxed)
                if change.exchanged { return true }
                count = change.original
            }
            return false
        }
    }
#endif
