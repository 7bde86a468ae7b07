#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// Work that a thread runs next, when its present job ends: sent by that job, which is about to end or be
    /// suspended, so that waking another thread would cost more.
    enum NextWork: ~Copyable {
        /// A queue, held by the thread.
        case queue(HeldQueue)
        /// A lane that has a job, by its number. Other threads may take the job.
        case lane(Int)
        /// The step of a task.
        case step(Message)
        case activation(MadeQueue.Activation)

        // The second word of a step is the address of its executor, which is none of these.
        private static var queueMark: UInt { 0 }
        private static var laneMark: UInt { 1 }
        private static var activationMark: UInt { 2 }

        // Inlined: of four cases the compiler makes functions, which would count references to the queue.
        @inline(__always)
        fileprivate consuming func intoWords() -> (UInt, UInt) {
            switch consume self {
            case .queue(let queue): (UInt(queue.intoIndex()), Self.queueMark)
            case .lane(let number): (UInt(number), Self.laneMark)
            case .step(let message): message.intoParts().words
            case .activation(let queue): (queue.intoWord(), Self.activationMark)
            }
        }

        @inline(__always)
        fileprivate init(_ words: (UInt, UInt), in group: WorkerGroup) {
            switch words.1 {
            case Self.queueMark: self = .queue(HeldQueue(claimed: group.queue(at: Int(words.0))))
            case Self.laneMark: self = .lane(Int(words.0))
            case Self.activationMark: self = .activation(MadeQueue.Activation(words.0))
            default: self = .step(Message(.taskStep, words))
            }
        }
    }

    /// Where a thread keeps the work that it runs next, in two words.
    ///
    /// Other threads do not see it, unless it is in a lane. But the supervisor looks every millisecond while
    /// any thread of the group keeps work, as Go's monitor thread does, and sends work that it has seen in
    /// two looks in a row.
    ///
    /// The words are written before `number`, which releases them. The supervisor acquires that, reads them,
    /// and then takes them by replacing the number, which is never used again. The exchange releases its
    /// reads, which a look at `number` acquires before the thread writes other words.
    struct NextSlot: ~Copyable {
        /// The number of the present work, or 0.
        private let number = Atomic<UInt64>(0)
        private let lastNumber = Atomic<UInt64>(0)
        private let first = Atomic<UInt>(0)
        private let second = Atomic<UInt>(0)

        private var words: (UInt, UInt) { (first.load(ordering: .relaxed), second.load(ordering: .relaxed)) }

        /// Whether there is work, for the slot's thread.
        var isFilled: Bool { number.load(ordering: .relaxed) != 0 }

        /// Whether the slot's thread may put work there.
        fileprivate var isFree: Bool { number.load(ordering: .acquiring) == 0 }

        fileprivate func put(_ words: (UInt, UInt)) {
            first.store(words.0, ordering: .relaxed)
            second.store(words.1, ordering: .relaxed)
            let next = lastNumber.load(ordering: .relaxed) + 1
            lastNumber.store(next, ordering: .relaxed)
            number.store(next, ordering: .sequentiallyConsistent)
        }

        /// Takes the work, unless the supervisor was faster. Called by the slot's thread.
        func take(in group: WorkerGroup) -> NextWork? {
            let words = words
            return number.exchange(0, ordering: .relaxed) == 0 ? nil : NextWork(words, in: group)
        }

        /// The number of the present work, or 0, for the supervisor.
        fileprivate var seenNumber: UInt64 { number.load(ordering: .acquiring) }

        /// Whether there is work, for the last look of a ``Watch``.
        fileprivate var isFilledAtLast: Bool { number.load(ordering: .sequentiallyConsistent) != 0 }

        /// Takes the work for the supervisor, which has seen its number, if it is there still.
        fileprivate func take(_ seen: UInt64, in group: WorkerGroup) -> NextWork? {
            let words = words
            let change = number.compareExchange(expected: seen, desired: 0, ordering: .releasing)
            return change.exchanged ? NextWork(words, in: group) : nil
        }
    }

    extension WorkerGroup {
        /// Keeps work if the calling thread is the group's and keeps none. Otherwise returns the work.
        func keep(_ work: consuming NextWork) -> NextWork? {
            guard let thread = WorkerThread.current, thread.group === self,
                threadSlots[thread.index].next.isFree
            else { return work }
            threadSlots[thread.index].next.put(work.intoWords())
            if keptWork.begins() { beginWatching() }
            return nil
        }

        /// Makes work ready for all threads: work that one has kept, or could not keep.
        func send(_ work: consuming NextWork) {
            switch consume work {
            case .queue(let queue): return queue.makeReady()
            case .lane: break
            case .step(let message):
                let words = message.intoParts().words
                lanes[nextLane]._withUnsafeGuaranteedRef { _ = $0.mailbox.send(.taskStep, words) }
            case .activation(let queue): return send(queue)
            }
            wakeIfNeeded()
        }

        @inline(never)
        private func beginWatching() {
            let supervisor = Supervisor.required()
            supervisor.perform { self.watch(by: supervisor, seen: [], idleRounds: 0) }
        }

        /// Called on the supervisor's thread, every millisecond.
        private func watch(by supervisor: Supervisor, seen: [UInt64], idleRounds: Int) {
            // Written by this thread: so no slot that keeps work is missing.
            let slots = parking.usedSlots
            let present = slots.map { threadSlots[$0].next.seenNumber }
            for (index, number) in seen.enumerated() where number != 0 && number == present[index] {
                if let work = threadSlots[index].next.take(number, in: self) { send(work) }
            }
            let isIdle = present.allSatisfy { $0 == 0 }
            if isIdle, idleRounds >= 10,
                keptWork.ends(unless: {
                    slots.contains { threadSlots[$0].next.isFilledAtLast }
                })
            {
                return
            }
            supervisor.perform(after: 1_000_000) {
                self.watch(by: supervisor, seen: present, idleRounds: isIdle ? idleRounds + 1 : 0)
            }
        }
    }
#endif
