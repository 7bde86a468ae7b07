#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// A thread of a group: runs ready queues and unordered jobs, and parks when there are none.
    final class WorkerThread: @unchecked Sendable {  // used by its own thread only, once that has started
        let group: WorkerGroup
        let index: Int
        /// A queue that this thread holds though it found it empty.
        private var held: HeldQueue?
        /// The queue that it has run last, to take turns.
        private var lastIndex: Int
        private var lane: Int
        /// The role of a thread that has looked or was woken, until it finds work or parks.
        private var searching: Parking.Searching?
        private var yields = 0
        private var jobsSinceSleep = 0

        init(group: WorkerGroup, index: Int) {
            self.group = group
            self.index = index
            lastIndex = index
            lane = index % max(1, group.lanes.count)
        }

        /// Starts the thread. Returns 0 or an error number.
        func start() -> Int32 {
            ThreadStart { self.main() }.start {
                cqp_thread_start($0, $1, self.group.settings.threads.stackSize ?? 0, true)
            }
        }

        /// The calling thread, if it is one of the engine's.
        static var current: WorkerThread? {
            cqp_current_thread().pointee.worker.map {
                Unmanaged<WorkerThread>.fromOpaque($0).takeUnretainedValue()
            }
        }

        private func main() {
            let settings = group.settings
            let label = settings.threadLabel(index)
            searching = group.parking.begin()
            cqp_thread_set_name(threadName(for: label))
            settings.applyToCurrentThread()
            settings.threads.onStart?(label)
            let isSliceShort = settings.scheduling != nil && ThreadScheduling.isCurrentSliceShort
            yields = isSliceShort ? settings.threads.yieldsBeforeParking : 0
            cqp_current_thread().pointee.worker = Unmanaged.passUnretained(self).toOpaque()
            repeat {
                jobsSinceSleep = 0
                workUntilIdle(in: group)
            } while park(in: group)
            // Destructors of thread-specific values still run.
            cqp_current_thread().pointee.worker = nil
            settings.threads.onEnd?(label)
            group.threadEnds()
        }

        /// Sleeps until there may be work. Returns false if the thread must end.
        private func park(in group: WorkerGroup) -> Bool {
            searching = group.parking.park(
                index, searching.take(), hasWork: { group.hasWork },
                lifetime: group.settings.threads.idleLimit)
            return searching != nil
        }

        /// Returns when there was nothing to do, and no queue is held. The group is a parameter, here and
        /// below: so no reference is taken.
        private func workUntilIdle(in group: WorkerGroup) {
            while true {
                var hasRun = runNext(in: group)
                if runQueues(in: group) { hasRun = true }
                if group.mayHaveUnordered, !releaseHeld() || runLanes(in: group) { hasRun = true }
                if !hasRun, !look(in: group), releaseHeld() { return }
            }
        }

        @inline(__always)
        private func endSearch(in group: WorkerGroup) {
            if let search = searching.take() { group.found(search) }
        }

        /// Whether the running job has left work that this thread runs next; see ``NextSlot``.
        @inline(__always)
        private var hasNext: Bool { group.threadSlots[index].next.isFilled }

        /// Runs the work that the job before has sent, unless the supervisor has taken it.
        private func runNext(in group: WorkerGroup) -> Bool {
            guard hasNext else { return false }
            guard releaseHeld() else {
                sendNext()
                return true
            }
            guard let work = group.threadSlots[index].next.take(in: group) else { return false }
            switch consume work {
            case .queue(let queue): run(queue, in: group)
            case .lane(let number):
                if runJob(ofLane: number, in: group) != nil { return true }
                // Another thread takes one now, perhaps not this one.
                if group.mayHaveJobs(inLane: number) { group.wakeIfNeeded() }
                return false
            case .activation(let queue): run(queue, in: group)
            case .step(let message):
                group.threadSlots[index].counters.begin()
                let words = message.intoParts().words
                group.lanes[0]._withUnsafeGuaranteedRef {
                    $0.runKept(Message(.taskStep, words), noting: group.record(ofThread: index))
                }
                group.threadSlots[index].counters.finish()
                jobsSinceSleep &+= 1
            }
            return true
        }

        /// Sends the work that this thread keeps to the others, because this one continues with other work.
        func sendNext() {
            guard hasNext, let work = group.threadSlots[index].next.take(in: group) else { return }
            group.send(work)
        }

        /// Runs the next job of a lane. Returns whether there is another behind it; nil if there was none.
        private func runJob(ofLane number: Int, in group: WorkerGroup) -> Bool? {
            group.lanes[number]._withUnsafeGuaranteedRef { lane in
                guard let job = lane.take() else { return nil }
                let hasMore = job.hasMore
                if searching != nil {
                    endSearch(in: group)
                } else if hasMore {
                    group.wakeIfNeeded()
                }
                if job.message.kind == .activation {
                    run(MadeQueue.Activation(job.message), in: group)
                } else {
                    lane.run(job, noting: group.record(ofThread: index))
                    jobsSinceSleep &+= 1
                }
                return hasMore
            }
        }

        /// Runs the held queue if it has jobs, or else a ready one.
        private func runQueues(in group: WorkerGroup) -> Bool {
            if let queue = held.take() {
                if queue.hasWork {
                    run(queue, in: group)
                    return true
                }
                guard group.hasReady else {
                    held = consume queue
                    return false
                }
                if let queue = queue.becomeIdle() {
                    held = consume queue
                    return true
                }
            }
            guard let queue = group.takeReady(after: lastIndex) else { return false }
            lastIndex = queue.index
            run(queue, in: group)
            return true
        }

        /// Runs a queue, and holds it afterwards or not.
        private func run(_ queue: consuming HeldQueue, in group: WorkerGroup) {
            endSearch(in: group)
            switch queue.run({ runJobs(of: $0, in: group) }) {
            case .empty: held = consume queue
            case .shareUsed: queue.makeReady()
            case .called(let call): queue.grant(call)
            }
        }

        /// Runs a made queue, unless another thread does, or has.
        private func run(_ activation: consuming MadeQueue.Activation, in group: WorkerGroup) {
            endSearch(in: group)
            var share = Share()
            activation.run { queue in
                jobsSinceSleep &+= 1
                if hasNext, queue.hasArrival { sendNext() }
                return !share.isUsed(in: group) || group.waiters.contain(queue)
            }
        }

        private enum End: ~Copyable {
            case empty
            case shareUsed
            /// The next message is a call of `sync`, whose caller is to hold the queue.
            case called(Message)
        }

        private func runJobs(of queue: borrowing HeldQueue, in group: WorkerGroup) -> End {
            var share = Share()
            while true {
                queue.runDueJobs()
                if let message = queue.take() {
                    if message.kind == .call { return .called(message) }
                    queue.perform(message)
                } else {
                    return .empty
                }
                jobsSinceSleep &+= 1
                if hasNext, queue.hasArrival { sendNext() }
                if share.isUsed(in: group), !group.waiters.contain(group.queue(at: queue.index)) {
                    return .shareUsed
                }
            }
        }

        /// Runs unordered jobs, of one lane after the other.
        private func runLanes(in group: WorkerGroup) -> Bool {
            var share = Share()
            let count = group.lanes.count
            var (misses, hasRun, hasMore) = (0, false, false)
            while misses < count {
                if misses == 0, group.mayHaveJobs(inLane: group.firstLane) { lane = group.firstLane }
                let more = hasMore || group.mayHaveJobs(inLane: lane) ? runJob(ofLane: lane, in: group) : nil
                hasMore = more ?? false
                if more != nil {
                    (misses, hasRun) = (0, true)
                    if hasNext { break }
                    if !share.isUsed(in: group) { continue }
                    misses = count
                } else {
                    misses += 1
                }
                hasMore = false
                lane = lane + 1 < count ? lane + 1 : 0
            }
            return hasRun
        }

        /// The share of one queue or lane while others wait: 64 jobs, or a few milliseconds.
        private struct Share {
            private var left = 64
            private var start = cqp_coarse_nanoseconds()

            /// Looks at other work only sometimes, because that reads words that senders write.
            mutating func isUsed(in group: WorkerGroup) -> Bool {
                left -= 1
                guard left <= 0 || cqp_coarse_nanoseconds() != start else { return false }
                if group.hasReady || group.mayHaveUnordered { return true }
                self = Share()
                return false
            }
        }

        /// Makes the held queue idle. Returns false if it has jobs after all.
        private func releaseHeld() -> Bool {
            guard let queue = held.take() else { return true }
            held = queue.becomeIdle()
            return held == nil
        }

        /// Yields a few times before parking: a futex wake-up costs the sender more than these yields cost
        /// this thread. Returns true if there is work.
        ///
        /// Each yield moves the thread one slice back in the scheduler's order, and delays its next wake-up
        /// as much: by milliseconds, with Linux's default slices. So only threads with a short slice yield.
        private func look(in group: WorkerGroup) -> Bool {
            guard yields > 0, jobsSinceSleep > 1 || group.settings.yieldsAfterSingleJob, group.mayLook else {
                return false
            }
            guard let queue = held.take() else { return look(for: nil, in: group) }
            let lent = queue.lend()
            let hasFound = look(for: lent.arrival, in: group)
            held = lent.takeBack()
            return hasFound || held == nil
        }

        private func look(for arrival: MailboxReceiver.Arrival?, in group: WorkerGroup) -> Bool {
            let look = group.parking.beginLooking(searching.take())
            // This thread has just found no job in the lanes. If one seems to have some, its sender has taken
            // a position and not published yet.
            let hasStuckLane = group.mayHaveUnordered
            let hasFound = (0..<yields).contains { _ in
                if arrival?.hasCome == true || group.hasReady { return true }
                if !hasStuckLane, group.mayHaveUnordered { return true }
                cqp_thread_yield()
                return false
            }
            searching = group.parking.endLooking(look)
            return hasFound
        }
    }

    /// A label cut to the length of a thread's name in the kernel: 15 bytes. The middle is left out, because
    /// labels of one pool differ at their ends. No character is cut in two.
    func threadName(for label: String) -> String {
        guard label.utf8.count > 15 else { return label }
        func beginning(of characters: some Sequence<Character>, byteCount: Int) -> [Character] {
            var left = byteCount
            return characters.prefix { character in
                left -= character.utf8.count
                return left >= 0
            }
        }
        let head = String(beginning(of: label, byteCount: 7))
        let tail = beginning(of: label.reversed(), byteCount: 14 - head.utf8.count)
        return head + "~" + String(tail.reversed())
    }
#endif
