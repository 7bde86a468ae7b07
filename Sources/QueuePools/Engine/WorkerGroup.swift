#if os(Linux)
    import CLinuxThreads
    import Locks
    import Synchronization

    /// Threads, and the queues whose jobs they run: of a tier, of its part on a NUMA node, or a single queue.
    ///
    /// # The algorithm
    ///
    /// A serial queue is *idle*, *ready*, or *run* by one thread (``WorkerQueue``). `ready` has a bit for
    /// each ready queue, which a thread takes by clearing it. Any thread reads lanes (``UnorderedLane``).
    ///
    /// `parked` has a bit for each thread that must be woken: it sleeps, it has ended, or it was never made.
    /// A sender that has made something ready then looks at `parked`: it clears the bit of a thread that
    /// sleeps and wakes it, or, if none sleeps, has one made. A thread that finds nothing sets its bit, and
    /// then looks at everything again before it sleeps.
    ///
    /// Before that it yields a few times, and looks before each: `looking` counts such threads. While there
    /// is one, no other is woken. One that looked or slept, and takes something, calls ``passOnWakeUp()``.
    ///
    /// # Invariants
    ///
    /// 1. **One thread a queue.** Only the holder of a queue sets its bit in `ready`, and releases the queue
    ///    by that; of several that clear it, one sees it set. Setting releases and clearing acquires what the
    ///    holder wrote.
    /// 2. **Nothing ready is overlooked.** Sender and thread each write one word and then read the other's:
    ///
    ///        sender                      | thread
    ///        ----------------------------|------------------------------------
    ///        sets a bit in `ready`       | sets its bit in `parked`
    ///        (or publishes in a lane)    |
    ///        reads `parked`, `looking`   | reads `ready`, the lanes
    ///
    ///    All four are sequentially consistent, so one of them sees the other's write: the sender wakes the
    ///    thread, or the thread does not sleep. A thread that looked decrements `looking` before its last
    ///    reads, also sequentially consistent: a sender that relied on it wrote before.
    /// 3. **One waker a thread.** Of those that clear a bit in `parked`, one sees it set, acquires what the
    ///    thread wrote to its thread slot, and alone writes there. A thread that finds work after it has set
    ///    its bit clears it itself, or waits for the waker that was faster.
    /// 4. **The group outlives its wakers.** A sender may own nothing any more once its job can run. So it
    ///    retains the group before it sets the bit.
    ///
    /// Bits of sleeping workers and a last look before sleeping are known from Go's scheduler and Rayon.
    final class WorkerGroup: @unchecked Sendable {  // atomics; pointers that never change
        /// Senders write the reference count, and all read what follows.
        private let headPadding = LinePadding(repeating: 0)
        let settings: ThreadSettings
        /// Nil for a queue of its own, which needs no lanes.
        let accounting: TierAccounting?
        /// Those that senders use in turn, and one more, which threads read first, for delayed jobs whose
        /// time has come and jobs whose priority has risen. None where all jobs are ordered. Retained.
        let lanes: UnsafeMutableBufferPointer<Unmanaged<UnorderedLane>>
        private let laneMask: Int
        let waiters = SyncWaiters()
        let threadSlots: UnsafeMutablePointer<ThreadSlot>
        private let queues: UnsafeMutablePointer<Unmanaged<WorkerQueue>?>
        private let queuesLeft: Atomic<Int>
        /// Of the queues, and then of the threads; empty if jobs are not observed.
        let records: UnsafeMutableBufferPointer<JobRecord>
        /// Of the queues.
        let labels: [String]
        let isRetired = Atomic<Bool>(false)
        /// Whether the supervisor looks after what threads keep.
        let isWatched = Atomic<Bool>(false)
        /// Whether the supervisor looks for long jobs.
        let isWatchingJobs = Atomic<Bool>(false)
        /// When jobs began that run and have been reported, by the numbers of their records. Belongs to the
        /// supervisor that looks for long jobs.
        var reportedJobs: [Int: UInt64] = [:]
        /// Whether a thread has been made, so that jobs are accepted.
        let firstThread = ClaimOnce()
        /// Threads that have begun, and not left their slots: each counts itself.
        let threads = Atomic<Int>(0)
        let threadFailures = Atomic<Int>(0)
        /// Threads that have not reached their end.
        let unended = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        /// The thread that has reached its end last, and that none has joined.
        let lastEnded = Atomic<UInt>(0)
        /// Ending threads that wait for others, in a destructor or to join one.
        let endingJoiners = Atomic<UInt32>(0)
        let joining = Lock(())

        // Each on cache lines of its own: senders write the reference count and `ready`.
        private let padding = LinePadding(repeating: 0)
        private let ready = Atomic<UInt64>(0)
        private let readyLine = LinePadding(repeating: 0)
        let parked: Atomic<UInt64>
        private let parkedLine = LinePadding(repeating: 0)
        let looking = Atomic<Int>(0)
        private let lookingLine = LinePadding(repeating: 0)

        /// Where a thread sleeps.
        struct ThreadSlot: ~Copyable {
            /// No thread: it has ended, or was never made.
            static let empty: UInt32 = 0
            static let asleep: UInt32 = 1
            static let awake: UInt32 = 2

            let state = Atomic<UInt32>(empty)
            /// The number of what the thread keeps to run next, or 0; see ``WorkerGroup/keep(_:_:)``.
            let kept = Atomic<UInt64>(0)
            /// How often threads of the slot have kept something.
            let keptCount = Atomic<UInt64>(0)
            let first = Atomic<UInt>(0)
            let second = Atomic<UInt>(0)
            /// Of the steps that it has kept and run.
            let counters = JobCounters()
            private let line = InlineArray<6, UInt64>(repeating: 0)

            var words: (UInt, UInt) { (first.load(ordering: .relaxed), second.load(ordering: .relaxed)) }
        }

        init(settings: ThreadSettings, labels: [String], accounting: TierAccounting? = nil) {
            self.settings = settings
            self.labels = labels
            self.accounting = accounting
            let queueCount = labels.count
            queuesLeft = Atomic(queueCount)
            parked = Atomic(.max >> UInt64(64 - settings.limit))
            threadSlots = UnsafeMutableRawPointer.allocate(
                byteCount: settings.limit * MemoryLayout<ThreadSlot>.stride, alignment: 64
            ).bindMemory(to: ThreadSlot.self, capacity: settings.limit)
            for index in 0..<settings.limit { (threadSlots + index).initialize(to: ThreadSlot()) }
            records = .allocate(capacity: settings.observation == nil ? 0 : queueCount + settings.limit)
            for index in records.indices { records.initializeElement(at: index, to: JobRecord()) }
            unended.initialize(to: Atomic(0))
            queues = .allocate(capacity: queueCount)
            queues.initialize(repeating: nil, count: queueCount)
            // A power of two, at most the number of threads. More than eight would cost a thread that looks
            // for work more than they save.
            let laneCount = accounting == nil ? 0 : [8, 4, 2].first { $0 <= queueCount } ?? 1
            laneMask = laneCount - 1
            lanes = .allocate(capacity: laneCount == 0 ? 0 : laneCount + 1)
            let observation = lanes.isEmpty ? nil : settings.observation
            let observer = observation.map { JobObserver($0, label: settings.label, in: self) }
            for index in lanes.indices {
                let lane = UnorderedLane(group: self, observer: observer)
                lanes.initializeElement(at: index, to: .passRetained(lane))
            }
        }

        deinit {
            let thread = lastEnded.load(ordering: .relaxed)  // ordered by the last reference
            if thread != 0 { clinux_thread_detach(thread) }
            unended.deallocate()
            for lane in lanes { lane.release() }
            lanes.deallocate()
            records.deallocate()
            threadSlots.deinitialize(count: settings.limit)
            threadSlots.deallocate()
            queues.deallocate()
            // On the supervisor's thread: what hooks captured goes elsewhere, since that may do anything. The
            // supervisor has the other thread made later, when its own references are gone.
            if clinux_current_thread().pointee.supervises {
                runElsewhere { [settings] in withExtendedLifetime(settings) {} }
            }
        }

        /// Enters a queue, before any thread has been made.
        func enter(_ queue: WorkerQueue, at index: Int) { queues[index] = .passUnretained(queue) }

        func record(ofQueue index: Int) -> UnsafeMutablePointer<JobRecord>? {
            records.isEmpty ? nil : records.baseAddress.map { $0 + index }
        }

        func record(ofThread index: Int) -> UnsafeMutablePointer<JobRecord>? {
            record(ofQueue: labels.count + index)
        }

        func label(ofRecord number: Int) -> String {
            number < labels.count ? labels[number] : settings.threadLabel(number - labels.count)
        }

        /// One of the queues is gone. After the last, idle threads end. Relaxed: threads read nothing of
        /// queues. A thread that sets its bit in `parked` after ``retire()`` has cleared bits
        /// there acquires `isRetired`.
        func leave() { if queuesLeft.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { retire() } }

        /// Releases a queue, which the caller holds: the next free thread runs it.
        @inline(__always)
        func makeReady(_ index: Int) {
            let group = Unmanaged.passRetained(self)
            ready.bitwiseOr(1 << UInt64(index), ordering: .sequentiallyConsistent)
            group._withUnsafeGuaranteedRef {
                $0.wakeIfNeeded()
                $0.waiters.requestLook(index)
            }
            group.release()
        }

        /// Takes a ready queue, the next one after a certain index.
        func takeReady(after index: Int) -> WorkerQueue? {
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
        func takeReady(_ index: Int) -> WorkerQueue? {
            let bit: UInt64 = 1 << UInt64(index)
            let isTaken = ready.bitwiseAnd(~bit, ordering: .acquiring).oldValue & bit != 0
            return isTaken ? queue(at: index) : nil
        }

        func queue(at index: Int) -> WorkerQueue { queues[index].unsafelyUnwrapped.takeUnretainedValue() }

        func isQueueReady(_ index: Int) -> Bool {
            ready.load(ordering: .sequentiallyConsistent) & 1 << UInt64(index) != 0
        }

        var hasReady: Bool { ready.load(ordering: .relaxed) != 0 }

        /// The number of the lane for the calling thread's next unordered job: the same for 64 jobs, so that
        /// several senders mostly write in different lanes.
        @inline(__always)
        var nextLane: Int {
            let thread = clinux_current_thread().unsafelyUnwrapped
            thread.pointee.turn &+= 1
            return Int(thread.pointee.turn >> 6) & laneMask
        }

        /// The lane that threads read first.
        var firstLane: Int { lanes.count - 1 }

        func mayHaveJobs(inLane lane: Int) -> Bool { lanes[lane]._withUnsafeGuaranteedRef { $0.mayHaveJobs } }

        var mayHaveUnordered: Bool { lanes.indices.contains { mayHaveJobs(inLane: $0) } }

        /// Whether there is something to do, for a thread whose bit in `parked` is set.
        var hasWork: Bool {
            ready.load(ordering: .sequentiallyConsistent) != 0
                || lanes.contains { $0._withUnsafeGuaranteedRef { $0.hasJob() } }
        }

        /// Whether a thread has nothing to do, or can still be made.
        var hasFreeThread: Bool {
            parked.load(ordering: .relaxed) != 0 || looking.load(ordering: .relaxed) != 0
        }
    }
#endif
