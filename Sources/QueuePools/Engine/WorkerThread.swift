#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// A thread of a group: runs ready queues and unordered jobs, and parks when there are none.
    final class WorkerThread: @unchecked Sendable {  // used by its own thread only, once that has started
        let group: WorkerGroup
        let index: Int
        /// The queue that this thread holds though it found it empty.
        private var kept: WorkerQueue?
        /// The queue that it has run last, to take turns.
        private var lastIndex: Int
        private var lane: Int
        /// Whether it may keep what the running job has sent; see ``WorkerGroup/keep(_:_:)``.
        var keepsNext = false
        /// Whether senders may rely on this thread to find what they sent, because it looked or was woken.
        private var owesWakeUp = true
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
                clinux_thread_start($0, $1, self.group.settings.threads.stackSize ?? 0, true)
            }
        }

        /// The calling thread, if it is one of the engine's.
        static var current: WorkerThread? {
            clinux_current_thread().pointee.worker.map {
                Unmanaged<WorkerThread>.fromOpaque($0).takeUnretainedValue()
            }
        }

        private func main() {
            let settings = group.settings
            let label = settings.threadLabel(index)
            group.threads.wrappingAdd(1, ordering: .relaxed)
            clinux_thread_set_name(threadName(for: label))
            settings.applyToCurrentThread()
            settings.threads.whenStarted?(label)
            let isSliceShort = settings.scheduling != nil && ThreadScheduling.isCurrentSliceShort
            yields = isSliceShort ? settings.threads.yieldsBeforeParking : 0
            clinux_current_thread().pointee.worker = Unmanaged.passUnretained(self).toOpaque()
            repeat {
                jobsSinceSleep = 0
                owesWakeUp = true
                workUntilIdle(in: group)
            } while group.park(index)
            // Destructors of thread-specific values still run.
            clinux_current_thread().pointee.worker = nil
            settings.threads.whenEnding?(label)
            group.threadEnds()
        }

        /// Returns when there was nothing to do, and no queue is held. The group is a parameter, here and
        /// below: so no reference is taken.
        private func workUntilIdle(in group: WorkerGroup) {
            while true {
                var hasRun = runNext(in: group)
                if runQueues(in: group) { hasRun = true }
                if group.mayHaveUnordered, !releaseKept() || runLanes(in: group) { hasRun = true }
                if !hasRun, !look(in: group), releaseKept() { return }
            }
        }

        /// Runs what the job before has sent, unless the supervisor has taken it.
        private func runNext(in group: WorkerGroup) -> Bool {
            guard keepsNext else { return false }
            guard releaseKept() else {
                sendNext()
                return true
            }
            keepsNext = false
            guard let words = group.takeKept(index) else { return false }
            switch words.1 {
            case WorkerGroup.queueMark:
                run(group.queue(at: Int(words.0)), in: group)
            case WorkerGroup.laneMark:
                let lane = Int(words.0)
                if runJob(ofLane: lane, in: group) != nil { return true }
                // Another thread takes one now, perhaps not this one.
                if group.mayHaveJobs(inLane: lane) { group.wakeIfNeeded() }
                return false
            default:
                let slot = group.threadSlots + index
                let message = Message(kind: .taskStep, words: words, sentAt: nil)
                slot.pointee.counters.begin()
                group.lanes[0]._withUnsafeGuaranteedRef {
                    $0.run(message, noting: group.record(ofThread: index))
                }
                slot.pointee.counters.finish()
                jobsSinceSleep &+= 1
            }
            return true
        }

        /// Lets other threads run what this one keeps, because it continues with something else.
        func sendNext() {
            guard keepsNext else { return }
            keepsNext = false
            if let (first, second) = group.takeKept(index) { group.send(first, second) }
        }

        /// Runs the next job of a lane. Returns whether there is another behind it; nil if there was none.
        private func runJob(ofLane number: Int, in group: WorkerGroup) -> Bool? {
            group.lanes[number]._withUnsafeGuaranteedRef { lane in
                guard let job = lane.take() else { return nil }
                if owesWakeUp {
                    owesWakeUp = false
                    group.passOnWakeUp()
                } else if job.hasMore {
                    group.wakeIfNeeded()
                }
                lane.run(job, noting: group.record(ofThread: index))
                jobsSinceSleep &+= 1
                return job.hasMore
            }
        }

        /// Runs the kept queue if it has jobs, or else a ready one.
        private func runQueues(in group: WorkerGroup) -> Bool {
            if let queue = kept {
                if queue.hasWork {
                    run(queue, in: group)
                    return true
                }
                guard group.hasReady else { return false }
                guard releaseKept() else { return true }
            }
            guard let queue = group.takeReady(after: lastIndex) else { return false }
            lastIndex = queue.index
            run(queue, in: group)
            return true
        }

        /// Runs a queue that this thread holds, and keeps it or not.
        private func run(_ queue: WorkerQueue, in group: WorkerGroup) {
            kept = nil
            if owesWakeUp {
                owesWakeUp = false
                group.passOnWakeUp()
            }
            switch RunFrame.around(queue, { runJobs(of: queue, in: group) }) {
            case .empty: kept = queue
            case .shareUsed: group.makeReady(queue.index)
            case .handedOver: break
            }
        }

        private enum End { case empty, shareUsed, handedOver }

        private func runJobs(of queue: WorkerQueue, in group: WorkerGroup) -> End {
            var share = Share()
            while true {
                if queue.due.isFilled { queue.runDueJobs() }
                if let message = queue.mailbox.take() {
                    if message.kind == .call, !group.settings.runsSyncOnThread {
                        SyncCall.grant(message)
                        return .handedOver
                    }
                    queue.perform(message)
                } else if !queue.runEmptyHandlers() {
                    return .empty
                }
                jobsSinceSleep &+= 1
                if keepsNext, queue.mailbox.hasArrival { sendNext() }
                if share.isUsed(in: group), !group.waiters.contain(queue.index) { return .shareUsed }
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
                    if keepsNext { break }
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

        /// What a thread runs of one queue or lane while others wait: 64 jobs, or a few milliseconds.
        private struct Share {
            private var left = 64
            private var start = clinux_coarse_nanoseconds()

            /// Looks at other work only sometimes, because that reads what its senders write.
            mutating func isUsed(in group: WorkerGroup) -> Bool {
                left -= 1
                guard left <= 0 || clinux_coarse_nanoseconds() != start else { return false }
                if group.hasReady || group.mayHaveUnordered { return true }
                self = Share()
                return false
            }
        }

        /// Makes the kept queue idle. Returns false if it has jobs after all.
        private func releaseKept() -> Bool {
            guard let queue = kept else { return true }
            guard queue.becomeIdle() else { return false }
            kept = nil
            return true
        }

        /// Yields a few times before parking: a futex wake-up costs the sender more than these yields cost
        /// this thread. Returns true if there is something to do.
        ///
        /// Each yield moves the thread one slice back in the scheduler's order, and delays its next wake-up
        /// as much: by milliseconds, with slices of Linux's default length. So only threads with a short
        /// slice yield.
        private func look(in group: WorkerGroup) -> Bool {
            guard yields > 0, jobsSinceSleep > 1 || group.settings.yieldsAfterSingleJob else { return false }
            let arrival = kept?.mailbox.nextArrival
            kept?.permitClaims()
            group.beginLooking()
            // This thread has just found no job in the lanes. If one seems to have some, its sender has taken
            // a position and not published yet.
            let hasStuckLane = group.mayHaveUnordered
            let hasFound = (0..<yields).contains { _ in
                if arrival?.hasCome == true || group.hasReady { return true }
                if !hasStuckLane, group.mayHaveUnordered { return true }
                clinux_thread_yield()
                return false
            }
            group.endLooking()
            owesWakeUp = true
            if let queue = kept, !queue.takeIfPermitted() {
                kept = nil
                return true
            }
            return hasFound
        }
    }

    /// A label cut to what the kernel keeps of a thread's name: 15 bytes. The middle is left out, because
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
