#if os(Linux)
    import CLinuxThreads
    import Locks
    import Synchronization

    /// Threads, and the queues whose jobs they run: those of a tier, or of a tier's part on one NUMA node, or of a queue
    /// that was made by itself.
    ///
    /// # The algorithm
    ///
    /// A serial queue is *idle*, *ready*, or *run* by one thread (``WorkerQueue`` says how it changes from one to the
    /// other). `ready` has a bit for each queue that is ready. A thread takes a queue by clearing its bit. Unordered jobs
    /// are in lanes, which any thread reads (``UnorderedLane``).
    ///
    /// `parked` has a bit for each thread that must be woken: it sleeps, it has ended, or it was never made. What was made
    /// ready is followed by a look at `parked`: the sender clears one bit and wakes that thread, or has it made. A thread
    /// that finds nothing sets its bit, and then looks at everything again before it sleeps.
    ///
    /// Before that it yields a few times, and looks before each: `looking` counts such threads. As long as there is one, no
    /// other is woken. A thread that has looked, or slept, and then takes something, wakes another if there is more
    /// (``passOnWakeUp()``).
    ///
    /// # Invariants
    ///
    /// 1. **One thread a queue.** A bit is set in `ready` only by the holder of its queue, who gives the queue up by that;
    ///    of several that clear it, one sees it set. Setting releases and clearing acquires what the holder wrote.
    /// 2. **Nothing ready is overlooked.** Sender and thread each write one word and then read the other's:
    ///
    ///        sender                      | thread
    ///        ----------------------------|------------------------------------
    ///        sets a bit in `ready`       | sets its bit in `parked`
    ///        (or publishes in a lane)    |
    ///        reads `parked`, `looking`   | reads `ready`, the lanes
    ///
    ///    All four are sequentially consistent, so one of them sees the other's write: the sender wakes the thread, or the
    ///    thread does not sleep. A thread that looked decrements `looking` before its last reads, also sequentially
    ///    consistent: a sender that relied on it wrote before.
    /// 3. **One waker a thread.** Of those that clear a bit in `parked`, one sees it set, and it alone writes to the
    ///    thread's seat. A thread that finds work after it has set its bit clears it itself, or waits for the waker that
    ///    was faster.
    /// 4. **The group outlives its wakers.** A sender may own nothing any more once its job can run. So it retains the
    ///    group before it sets the bit.
    ///
    /// Bits of sleeping workers and a last look before sleeping are known from Go's scheduler and from Rayon.
    final class WorkerGroup: @unchecked Sendable {  // atomics; pointers that never change
        let settings: ThreadSettings
        /// Those that senders use in turn, and one more, which threads read first, for delayed jobs whose time has come and for
        /// jobs whose priority has risen. None where all jobs are ordered.
        let lanes: [UnorderedLane]
        private let laneMask: Int
        let waiters = SyncWaiters()
        let forkCount: UInt32
        private let words: UnsafeMutablePointer<Words>
        private let seats: UnsafeMutablePointer<Seat>
        private let queues: UnsafeMutablePointer<Unmanaged<WorkerQueue>?>
        private let queuesLeft: Atomic<Int>
        /// Of the queues, and then of the threads; empty if jobs are not observed.
        let records: UnsafeMutableBufferPointer<JobRecord>
        /// Of the queues; written before any thread is made.
        private var labels: [String]
        private let isRetired = Atomic<Bool>(false)
        /// Whether the supervisor looks after postponed wake-ups.
        private let isWatched = Atomic<Bool>(false)
        /// Whether a thread has been made, so that jobs are accepted.
        private let isServed = Atomic<Bool>(false)
        private let threads = Atomic<Int>(0)
        private let threadFailures = Atomic<Int>(0)
        /// Threads that have not reached their end.
        private let unended = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        /// The thread that has reached its end last, and that none has joined.
        private let lastEnded = Atomic<UInt>(0)
        private let joining = Lock(())

        private struct Words: ~Copyable {
            let ready = Atomic<UInt64>(0)
            private let readyLine = LinePadding(repeating: 0)
            let parked: Atomic<UInt64>
            private let parkedLine = LinePadding(repeating: 0)
            let looking = Atomic<Int>(0)

            init(parked: UInt64) { self.parked = Atomic(parked) }
        }

        /// Where a thread sleeps.
        private struct Seat: ~Copyable {
            /// No thread: it has ended, or was never made.
            static let empty: UInt32 = 0
            static let asleep: UInt32 = 1
            static let awake: UInt32 = 2

            let state = Atomic<UInt32>(empty)
            /// The number of the wake-up that the thread has postponed, or 0.
            let postponed = Atomic<UInt64>(0)
            private let line = InlineArray<6, UInt64>(repeating: 0)
        }

        init(
            settings: ThreadSettings, queueCount: Int, laneCount: Int = 0, accounts: TierAccounts? = nil,
            forkCount: UInt32 = currentForkCount()
        ) {
            self.settings = settings
            self.forkCount = forkCount
            queuesLeft = Atomic(queueCount)
            words = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Words>.stride, alignment: 128)
                .bindMemory(to: Words.self, capacity: 1)
            words.initialize(to: Words(parked: .max >> UInt64(64 - settings.limit)))
            seats = UnsafeMutableRawPointer.allocate(
                byteCount: settings.limit * MemoryLayout<Seat>.stride, alignment: 64
            ).bindMemory(to: Seat.self, capacity: settings.limit)
            for index in 0..<settings.limit { (seats + index).initialize(to: Seat()) }
            records = .allocate(capacity: accounts?.observation == nil ? 0 : queueCount + settings.limit)
            for index in records.indices { records.initializeElement(at: index, to: JobRecord()) }
            labels = Array(repeating: "", count: queueCount)
            unended.initialize(to: Atomic(0))
            queues = .allocate(capacity: queueCount)
            queues.initialize(repeating: nil, count: queueCount)
            precondition(laneCount & (laneCount - 1) == 0, "a power of two, or none")
            laneMask = laneCount - 1
            lanes = (0..<(laneCount == 0 ? 0 : laneCount + 1)).map { _ in
                UnorderedLane(label: settings.label, memory: settings.memory, accounts: accounts)
            }
        }

        deinit {
            let thread = lastEnded.load(ordering: .acquiring)
            if thread != 0, !isForked { clinux_thread_detach(thread) }
            unended.deallocate()
            records.deallocate()
            words.deinitialize(count: 1)
            words.deallocate()
            seats.deinitialize(count: settings.limit)
            seats.deallocate()
            queues.deallocate()
        }

        // MARK: Queues

        /// Enters a queue, before any thread has been made.
        func enter(_ queue: WorkerQueue, at index: Int) {
            queues[index] = .passUnretained(queue)
            labels[index] = queue.label
        }

        // MARK: Records of running jobs

        func record(ofQueue index: Int) -> UnsafeMutablePointer<JobRecord>? {
            records.isEmpty ? nil : records.baseAddress.map { $0 + index }
        }

        func record(ofThread index: Int) -> UnsafeMutablePointer<JobRecord>? {
            record(ofQueue: labels.count + index)
        }

        func label(ofRecord number: Int) -> String {
            number < labels.count ? labels[number] : settings.threadLabel(number - labels.count)
        }

        /// One of the queues has gone. After the last, threads end that have nothing to do.
        func leave() {
            guard queuesLeft.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else {
                return
            }
            retire()
        }

        /// Has threads end when they have nothing to do, from now on. What is sent later gets a new thread.
        func retire() {
            guard !isForked else { return }
            isRetired.store(true, ordering: .sequentiallyConsistent)
            for index in 0..<settings.limit { wakeIfAsleep(index) }
        }

        // MARK: Ending threads

        /// Called by a thread as the last that it does for the group.
        ///
        /// It joins the one that came here before, so that one thread at most, which has ended, is not joined: ``joinThreads(while:)``
        /// joins that, or else the group detaches it. No thread that has still something to do waits for this.
        func threadEnds() {
            guard !isForked else { return }
            let previous = lastEnded.exchange(clinux_thread_handle(), ordering: .acquiringAndReleasing)
            if previous != 0 { clinux_thread_join(previous) }
            unended.pointee.wrappingSubtract(1, ordering: .releasing)
            clinux_futex_wake(unended)
        }

        /// Waits until all threads have ended; while `isBusy` returns true, only for some milliseconds.
        func joinThreads(while isBusy: () -> Bool) {
            guard !isForked else { return }
            joining.withLock { _ in
                var patience = 10
                while true {
                    let count = unended.pointee.load(ordering: .acquiring)
                    if count == 0 { break }
                    if isBusy() {
                        if patience == 0 { return }
                        patience -= 1
                    }
                    clinux_futex_wait(unended, count, clinux_monotonic_nanoseconds() + 1_000_000)
                }
                let last = lastEnded.exchange(0, ordering: .acquiringAndReleasing)
                if last != 0 { clinux_thread_join(last) }
            }
        }

        /// Gives up a queue: the next free thread runs it.
        ///
        /// - Parameter isForStep: whether it is ready because of a step of a task or an actor.
        @inline(__always)
        func makeReady(_ index: Int, isForStep: Bool = false) {
            let group = Unmanaged.passRetained(self)
            words.pointee.ready.bitwiseOr(1 << UInt64(index), ordering: .sequentiallyConsistent)
            group._withUnsafeGuaranteedRef {
                if !isForStep {
                    $0.wakeIfNeeded()
                } else if $0.wakeForStep() {
                    WorkerThread.current?.next = .queue(index)
                }
                $0.waiters.nudge(index)
            }
            group.release()
        }

        /// Takes a ready queue, the next one after a certain index.
        func takeReady(after index: Int) -> WorkerQueue? {
            var ready = words.pointee.ready.load(ordering: .relaxed)
            while ready != 0 {
                let later = ready & (.max << UInt64(index + 1))
                let next = (later == 0 ? ready : later).trailingZeroBitCount
                if claimReady(next) { return queues[next].unsafelyUnwrapped.takeUnretainedValue() }
                ready &= ~(1 << UInt64(next))
            }
            return nil
        }

        /// Takes a certain queue if it is ready. Sequentially consistent for ``SyncCall``.
        func claimReady(_ index: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(index)
            return words.pointee.ready.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
        }

        func isQueueReady(_ index: Int) -> Bool {
            words.pointee.ready.load(ordering: .sequentiallyConsistent) & 1 << UInt64(index) != 0
        }

        var hasReady: Bool { words.pointee.ready.load(ordering: .relaxed) != 0 }

        /// The number of the lane for the calling thread's next unordered job.
        @inline(__always)
        var nextLane: Int {
            let thread = clinux_current_thread().unsafelyUnwrapped
            thread.pointee.turn &+= 1
            return Int(thread.pointee.turn) & laneMask
        }

        /// Takes a certain queue if it is ready.
        func takeReady(_ index: Int) -> WorkerQueue? {
            claimReady(index) ? queues[index].unsafelyUnwrapped.takeUnretainedValue() : nil
        }

        /// The lane that threads read first.
        var firstLane: Int { lanes.count - 1 }

        var mayHaveUnordered: Bool { lanes.contains { $0.mayHaveJobs } }

        /// Whether there may be something to do, for a thread that will look again.
        var mayHaveWork: Bool { hasReady || mayHaveUnordered }

        /// Whether there is something to do, for a thread whose bit in `parked` is set.
        private var hasWork: Bool {
            words.pointee.ready.load(ordering: .sequentiallyConsistent) != 0
                || lanes.contains { $0.hasJob() }
        }

        /// Whether a thread has nothing to do, or can still be made.
        var hasFreeThread: Bool {
            words.pointee.parked.load(ordering: .relaxed) != 0
                || words.pointee.looking.load(ordering: .relaxed) != 0
        }

        // MARK: Waking

        /// Called when something has been made ready.
        @inline(__always)
        func wakeIfNeeded() {
            guard words.pointee.parked.load(ordering: .sequentiallyConsistent) != 0 else { return }
            wakeUnlessOneLooks()
        }

        /// Called when a step of a task or an actor has been sent. If a thread of this group did it, that thread will look
        /// for it when its own step ends, which is usually soon, and so cheaper than waking another.
        ///
        /// A thread postpones one wake-up at a time, and for as long as its step takes, but not for much longer than a
        /// millisecond: then the supervisor wakes another thread. It looks every millisecond while steps are sent like that,
        /// as does Go's monitor thread.
        ///
        /// - Returns: whether the wake-up is postponed.
        @inline(__always)
        func wakeForStep() -> Bool {
            guard words.pointee.parked.load(ordering: .sequentiallyConsistent) != 0 else { return false }
            if let thread = WorkerThread.current, thread.group === self, postpone(by: thread) { return true }
            wakeUnlessOneLooks()
            return false
        }

        private func postpone(by thread: WorkerThread) -> Bool {
            let seat = seats + thread.index
            guard seat.pointee.postponed.load(ordering: .relaxed) == 0 else { return false }
            thread.postponements += 1
            seat.pointee.postponed.store(thread.postponements, ordering: .sequentiallyConsistent)
            if !isWatched.load(ordering: .sequentiallyConsistent) { beginWatching() }
            return true
        }

        /// The thread looks for what it has sent.
        func endPostponement(_ index: Int) {
            seats[index].postponed.store(0, ordering: .relaxed)
        }

        @inline(never)
        private func beginWatching() {
            guard !isWatched.exchange(true, ordering: .sequentiallyConsistent) else { return }
            let supervisor = Supervisor.required()
            supervisor.perform { self.watch(by: supervisor, seen: [], idleRounds: 0) }
        }

        /// On the supervisor's thread, every millisecond.
        private func watch(by supervisor: Supervisor, seen: [UInt64], idleRounds: Int) {
            let present = (0..<settings.limit).map {
                seats[$0].postponed.load(ordering: .sequentiallyConsistent)
            }
            if zip(seen, present).contains(where: { $0 == $1 && $0 != 0 }), mayHaveWork { wakeIfNeeded() }
            let isIdle = present.allSatisfy { $0 == 0 }
            if isIdle, idleRounds >= 10 {
                isWatched.store(false, ordering: .sequentiallyConsistent)
                let isNeeded = (0..<settings.limit).contains {
                    seats[$0].postponed.load(ordering: .sequentiallyConsistent) != 0
                }
                guard isNeeded, !isWatched.exchange(true, ordering: .sequentiallyConsistent) else { return }
            }
            supervisor.perform(after: 1_000_000) {
                self.watch(by: supervisor, seen: present, idleRounds: isIdle ? idleRounds + 1 : 0)
            }
        }

        @inline(never)
        private func wakeUnlessOneLooks() {
            guard !isForked, words.pointee.looking.load(ordering: .sequentiallyConsistent) == 0 else {
                return
            }
            var parked = words.pointee.parked.load(ordering: .sequentiallyConsistent)
            while parked != 0 {
                let index = parked.trailingZeroBitCount
                let claim = words.pointee.parked.compareExchange(
                    expected: parked, desired: parked & ~(1 << UInt64(index)),
                    ordering: .sequentiallyConsistent)
                guard claim.exchanged else {
                    parked = claim.original
                    continue
                }
                if !rouse(index) { makeThread(at: index) }
                return
            }
        }

        /// Wakes the thread of a seat whose bit the caller has cleared. False if it has none.
        private func rouse(_ index: Int) -> Bool {
            let before = seats[index].state.exchange(Seat.awake, ordering: .acquiringAndReleasing)
            guard before == Seat.asleep else { return false }
            clinux_futex_wake(UnsafeRawPointer(seats + index))
            return true
        }

        private func wakeIfAsleep(_ index: Int) {
            let bit: UInt64 = 1 << UInt64(index)
            guard words.pointee.parked.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
            else { return }
            if !rouse(index) { vacate(index) }
        }

        // MARK: What threads do when they have nothing to do

        func beginLooking() {
            words.pointee.looking.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }

        func endLooking() {
            words.pointee.looking.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }

        /// Wakes another thread if there is more to do. A thread that has looked, or was woken, calls this when it has
        /// taken something and before it runs it: senders may have relied on it, and not woken others.
        func passOnWakeUp() {
            if words.pointee.parked.load(ordering: .sequentiallyConsistent) != 0, hasWork {
                wakeUnlessOneLooks()
            }
        }

        /// Sleeps until there may be something to do. False if the thread must end.
        func park(_ index: Int) -> Bool {
            let bit: UInt64 = 1 << UInt64(index)
            let seat = seats + index
            seat.pointee.state.store(Seat.asleep, ordering: .relaxed)
            words.pointee.parked.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            if hasWork,
                words.pointee.parked.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
            {
                return true
            }
            let stays = settings.keepsFirst && index == 0
            while seat.pointee.state.load(ordering: .acquiring) == Seat.asleep {
                if isRetired.load(ordering: .sequentiallyConsistent) {
                    if leaveSeat(seat) { return false }
                    continue
                }
                let deadline =
                    stays
                    ? .max : clinux_monotonic_nanoseconds().advanced(by: settings.threads.idleLifetime)
                clinux_futex_wait(UnsafeRawPointer(seat), Seat.asleep, deadline)
                if !stays, clinux_monotonic_nanoseconds() >= deadline, leaveSeat(seat) { return false }
            }
            return true
        }

        private func leaveSeat(_ seat: UnsafeMutablePointer<Seat>) -> Bool {
            guard
                seat.pointee.state.compareExchange(
                    expected: Seat.asleep, desired: Seat.empty, ordering: .acquiringAndReleasing
                ).exchanged
            else { return false }
            threads.wrappingSubtract(1, ordering: .relaxed)
            return true
        }

        // MARK: Making threads

        /// Whether jobs are accepted: a thread has been made, in this process.
        @inline(__always)
        var isReady: Bool { isServed.load(ordering: .relaxed) && currentForkCount() == forkCount }

        /// Whether the process that made this group is another one, in which its threads remained.
        var isForked: Bool { currentForkCount() != forkCount }

        /// Ensures that a thread has been made. Waits for the first one, about 0.1 ms; false if the system has none.
        @inline(never)
        func makeFirstThread() -> Bool {
            guard !isForked else { return false }
            guard let supervisor = Supervisor.current() else { return false }
            return supervisor.performAndWait {
                if self.isServed.load(ordering: .relaxed) { return true }
                guard
                    self.words.pointee.parked.bitwiseAnd(~1, ordering: .sequentiallyConsistent).oldValue & 1
                        != 0
                else { return false }  // it has been asked for, and refused so far
                if self.startThread(at: 0, by: supervisor) { return true }
                self.vacate(0)
                return false
            }
        }

        /// Ensures that what is sent next will be run, by a thread that is made for it if there is none.
        @inline(__always)
        func prepareToSend() {
            if !isReady { prepareToSendSlowly() }
        }

        @inline(never)
        private func prepareToSendSlowly() {
            precondition(
                !isForked,
                "the queues \"\(settings.label)\" belong to the process that this one was forked from; make new ones"
            )
            Supervisor.required()
        }

        private func makeThread(at index: Int) {
            let supervisor = Supervisor.required()
            supervisor.perform {
                self.tryToMakeThread(at: index, by: supervisor, retryAfter: self.settings.firstRetry)
            }
        }

        /// On the supervisor's thread.
        private func tryToMakeThread(at index: Int, by supervisor: Supervisor, retryAfter delay: UInt64) {
            guard !startThread(at: index, by: supervisor) else { return }
            supervisor.perform(after: delay) {
                guard self.hasWork else { return self.vacate(index) }
                self.tryToMakeThread(at: index, by: supervisor, retryAfter: min(2 * delay, 1_000_000_000))
            }
        }

        private func startThread(at index: Int, by supervisor: Supervisor) -> Bool {
            seats[index].state.store(Seat.awake, ordering: .relaxed)
            unended.pointee.wrappingAdd(1, ordering: .relaxed)
            let thread = WorkerThread(group: self, index: index)
            if supervisor.makeThread(with: settings, { settings.start(thread) }) {
                threads.wrappingAdd(1, ordering: .relaxed)
                isServed.store(true, ordering: .releasing)
                return true
            }
            unended.pointee.wrappingSubtract(1, ordering: .releasing)
            threadFailures.wrappingAdd(1, ordering: .relaxed)
            return false
        }

        /// Marks a seat for which there is no thread as one that can be asked for.
        private func vacate(_ index: Int) {
            seats[index].state.store(Seat.empty, ordering: .relaxed)
            words.pointee.parked.bitwiseOr(1 << UInt64(index), ordering: .sequentiallyConsistent)
            if hasWork { wakeIfNeeded() }
        }

        // MARK: Statistics

        /// Adds the figures of the threads and of unordered jobs to a tier's.
        func add(to statistics: inout TierStatistics) {
            for lane in lanes { lane.add(to: &statistics) }
            statistics.threads += max(0, threads.load(ordering: .relaxed))
            statistics.threadFailures += threadFailures.load(ordering: .relaxed)
            statistics.schedulingFailures += settings.refusals.value
        }
    }
#endif
