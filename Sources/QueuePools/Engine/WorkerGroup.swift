#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization

    /// Threads, and the queues whose jobs they run: of a tier, of its part on a NUMA node, or a single queue.
    ///
    /// A serial queue is *idle*, *ready*, or *held* by one thread (``HeldQueue``). `ready` has a bit for each
    /// ready queue, which a thread takes by clearing it. Any thread reads lanes (``UnorderedLane``). Where
    /// threads sleep, and who wakes them, is ``Parking``.
    ///
    /// # Invariants
    ///
    /// 1. **One thread a queue.** Only the holder of a queue sets its bit in `ready`, and passes the role on
    ///    by that; of several threads that clear it, one sees it set. Setting releases and clearing acquires
    ///    the holder's writes.
    /// 2. **Nothing ready is overlooked.** Setting a bit in `ready`, publishing in a lane, and ``hasWork``
    ///    are sequentially consistent, as ``Parking`` requires.
    /// 3. **The group outlives its wakers.** A sender may own nothing any more once its job can run. So it
    ///    retains the group before it sets the bit.
    final class WorkerGroup: @unchecked Sendable {  // atomics; pointers that never change
        /// Senders write the reference count, and all read the fields below.
        private let headPadding = LinePadding(repeating: 0)
        let settings: ThreadSettings
        /// Nil for a ``ThreadBoundQueue``, which needs no lanes.
        let accounting: TierAccounting?
        /// The lanes that senders use in turn, and one more, which threads read first, for delayed jobs whose
        /// time has come and jobs whose priority has risen. None where all jobs are ordered. Retained.
        let lanes: UnsafeMutableBufferPointer<Unmanaged<UnorderedLane>>
        private let laneMask: Int
        let waiters = SyncWaiters()
        let threadSlots: UnsafeMutablePointer<ThreadSlot>
        let parking: Parking
        private let queues: UnsafeMutablePointer<Unmanaged<MailboxQueue>?>
        let madeQueues = MadeQueues()
        private let queuesLeft: Atomic<Int>
        /// Where the times of unordered jobs, and of those of made queues, are noted.
        private(set) var notes = JobNotes(accounting: nil, observer: nil)
        /// The records of the queues, and then of the threads; empty if jobs are not observed.
        let records: UnsafeMutableBufferPointer<JobRecord>
        /// The labels of the queues.
        let labels: [String]
        /// The supervisor's look at the work that threads keep.
        let keptWork = Watch()
        /// The supervisor's look for long jobs.
        let longJobs = Watch()
        /// When running jobs that were reported began, by the numbers of their records. The supervisor's.
        var reportedJobs: [Int: UInt64] = [:]
        let delayedJobs = DelayedJobHeap.Part()
        /// Whether a thread has been made, so that jobs are accepted.
        let firstThread = ClaimOnce()
        let threadFailures = Atomic<Int>(0)
        /// Threads that have not reached their end.
        let unended = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        /// The thread that has reached its end last, and that none has joined.
        let lastEnded = Atomic<UInt>(0)
        /// Ending threads that wait for others, in a destructor or to join one.
        let endingJoiners = Atomic<UInt32>(0)
        let joining = Lock(())

        // On cache lines of its own: senders write the reference count and `ready`.
        private let padding = LinePadding(repeating: 0)
        private let ready = Atomic<UInt64>(0)
        private let readyLine = LinePadding(repeating: 0)

        init(settings: ThreadSettings, labels: [String], accounting: TierAccounting? = nil) {
            self.settings = settings
            self.labels = labels
            self.accounting = accounting
            let queueCount = labels.count
            queuesLeft = Atomic(queueCount)
            threadSlots = UnsafeMutableRawPointer.allocate(
                byteCount: settings.limit * MemoryLayout<ThreadSlot>.stride, alignment: 64
            ).bindMemory(to: ThreadSlot.self, capacity: settings.limit)
            for index in 0..<settings.limit { (threadSlots + index).initialize(to: ThreadSlot()) }
            parking = Parking(
                threadSlots, limit: settings.limit, keepsLast: settings.keepsLast,
                slotsPerWord: settings.slotsPerWord)
            accounting?.capacity?.addThreads(settings.limit)
            records = .allocate(capacity: settings.observation == nil ? 0 : queueCount + settings.limit)
            for index in records.indices { records.initializeElement(at: index, to: JobRecord()) }
            unended.initialize(to: Atomic(0))
            queues = .allocate(capacity: queueCount)
            queues.initialize(repeating: nil, count: queueCount)
            // A power of two, at most the number of threads. More than eight would cost a thread that looks
            // for work more than they save.
            let laneCount = accounting == nil ? 0 : [8, 4, 2].first { $0 <= settings.limit } ?? 1
            laneMask = laneCount - 1
            lanes = .allocate(capacity: laneCount == 0 ? 0 : laneCount + 1)
            let observation = lanes.isEmpty ? nil : settings.observation
            let observer = observation.map { JobObserver($0, label: settings.label, in: self) }
            notes = JobNotes(accounting: accounting, observer: observer)
            for index in lanes.indices {
                let lane = UnorderedLane(group: self, observer: observer)
                lanes.initializeElement(at: index, to: .passRetained(lane))
            }
        }

        deinit {
            let thread = lastEnded.load(ordering: .relaxed)  // ordered by the last reference
            if thread != 0 { cqp_thread_detach(thread) }
            unended.deallocate()
            for lane in lanes { lane.release() }
            lanes.deallocate()
            records.deallocate()
            threadSlots.deinitialize(count: settings.limit)
            threadSlots.deallocate()
            queues.deallocate()
            // On the supervisor's thread, the hooks' captures are released elsewhere, because that may run
            // any code: by a thread that is made later, when the supervisor's own references are gone.
            if cqp_current_thread().pointee.supervises {
                runElsewhere { [settings] in withExtendedLifetime(settings) {} }
            }
        }

        /// Enters a queue, before any thread has been made.
        func enter(_ queue: MailboxQueue, at index: Int) { queues[index] = .passUnretained(queue) }

        /// Those of the queues, and of the thread slots that have had a thread.
        var usedRecords: Range<Int> {
            records.isEmpty ? 0..<0 : 0..<labels.count + parking.usedSlots.upperBound
        }

        func record(ofQueue index: Int) -> UnsafeMutablePointer<JobRecord>? {
            records.isEmpty ? nil : records.baseAddress.map { $0 + index }
        }

        func record(ofThread index: Int) -> UnsafeMutablePointer<JobRecord>? {
            record(ofQueue: labels.count + index)
        }

        /// Counts a queue that is made later, while others are there.
        func enter() { queuesLeft.wrappingAdd(1, ordering: .relaxed) }

        /// Called when a queue ends. After the last, idle threads end. Relaxed: threads read no queues then.
        func leave() { if queuesLeft.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { retire() } }

        /// Sets a queue's bit, for ``HeldQueue/makeReady()``, which retains the group.
        @inline(__always)
        func setReady(_ index: Int) {
            ready.bitwiseOr(1 << UInt64(index), ordering: .sequentiallyConsistent)
            wakeIfNeeded()
            waiters.requestLook(UInt(bitPattern: queues[index].unsafelyUnwrapped.toOpaque()))
        }

        /// Wakes a thread for a queue that has been made ready, or a job published in a lane.
        @inline(__always)
        func wakeIfNeeded() { if let index = parking.workPosted() { makeThread(at: index) } }

        /// Sends a made queue that has work to the threads, behind the unordered jobs that wait.
        func send(_ queue: consuming MadeQueue.Activation) {
            let word = queue.intoWord()
            lanes[nextLane]._withUnsafeGuaranteedRef { $0.send(MadeQueue.Activation(word)) }
            wakeIfNeeded()
        }

        /// Ends a thread's search, because it has found work that it is about to run.
        func found(_ search: consuming Parking.Searching) {
            if let index = parking.found(search, hasMore: { hasWork }) { makeThread(at: index) }
        }

        /// Takes a ready queue, the next one after a certain index.
        func takeReady(after index: Int) -> HeldQueue? {
            var ready = ready.load(ordering: .relaxed)
            while ready != 0 {
                let later = ready & (.max << UInt64(index + 1))
                let next = (later == 0 ? ready : later).trailingZeroBitCount
                if let queue = takeReady(next) { return queue }
                ready &= ~(1 << UInt64(next))
            }
            return nil
        }

        /// Takes a queue if it is ready. Releases nothing: a thread that sees the bit late fails to clear it.
        func takeReady(_ index: Int) -> HeldQueue? {
            let bit: UInt64 = 1 << UInt64(index)
            let isTaken = ready.bitwiseAnd(~bit, ordering: .acquiring).oldValue & bit != 0
            return isTaken ? HeldQueue(claimed: queue(at: index)) : nil
        }

        func queue(at index: Int) -> MailboxQueue { queues[index].unsafelyUnwrapped.takeUnretainedValue() }

        /// Passes a queue, without a reference, whose count senders write.
        @inline(__always)
        func withQueue<Result>(at index: Int, _ body: (MailboxQueue) -> Result) -> Result {
            queues[index].unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
        }

        func isQueueReady(_ index: Int) -> Bool {
            ready.load(ordering: .sequentiallyConsistent) & 1 << UInt64(index) != 0
        }

        var hasReady: Bool { ready.load(ordering: .relaxed) != 0 }

        /// The number of the lane for the calling thread's next unordered job: the same for 64 jobs, so that
        /// several senders mostly write in different lanes.
        @inline(__always)
        var nextLane: Int {
            let thread = cqp_current_thread().unsafelyUnwrapped
            thread.pointee.turn &+= 1
            return Int(thread.pointee.turn >> 6) & laneMask
        }

        /// The lane that threads read first.
        var firstLane: Int { lanes.count - 1 }

        func mayHaveJobs(inLane lane: Int) -> Bool { lanes[lane]._withUnsafeGuaranteedRef { $0.mayHaveJobs } }

        var mayHaveUnordered: Bool { lanes.indices.contains { mayHaveJobs(inLane: $0) } }

        /// Whether an idle thread may look for work before it sleeps: one on each processor. A hint.
        var mayLook: Bool {
            settings.limit <= settings.processors || parking.lookingCount < settings.processors
        }

        /// Whether there is work, for a thread that is about to sleep.
        var hasWork: Bool {
            ready.load(ordering: .sequentiallyConsistent) != 0
                || lanes.contains { $0._withUnsafeGuaranteedRef { $0.hasJob() } }
        }

        /// Adds the figures of the threads and of unordered jobs to a tier's.
        func add(to statistics: inout TierStatistics) {
            for index in parking.usedSlots {
                threadSlots[index].counters.add(to: &statistics, pending: 0, positions: 0)
            }
            addLanes(to: &statistics)
            madeQueues.add(to: &statistics)
            statistics.threads += parking.threadCount
            statistics.threadFailures += threadFailures.load(ordering: .relaxed)
            statistics.schedulingFailures += settings.refusals.value
            let ages = runningJobs(usedRecords).map(\.age) + madeQueues.runningJobs.map(\.job.age)
            statistics.longestRun = (ages + [statistics.longestRun].compactMap(\.self)).max()
        }
    }
#endif
