#if os(Linux)
    import CMemoryModel

    // The threads of an execution: stacks, between which one thread of the process changes.

    extension Explorer {
        enum Status: Equatable {
            case starting, ready, asleep(UInt, UInt64), locked(Int), yielding(Int), ended
        }

        struct Thread {
            let name: String
            let maySleepForever: Bool
            var body: (() -> Void)?
            var stack: UnsafeMutableRawPointer?
            var status = Status.starting
            var earlyReturns: Int
            /// Whether it reads the newest value: when it has looked again and again, and nothing changes any
            /// more.
            var patience = 0
            var isPatient: Bool { patience > 0 }
            /// Whether its last access was one that may write.
            var hasJustWritten = false
            /// Where the thread that has made it continues.
            var maker: Int?
            /// Its next step.
            var pending = Step()
        }

        func addThread(
            _ name: String, maySleepForever: Bool, madeBy maker: Int?, _ body: @escaping () -> Void
        ) {
            precondition(threads.count < memory_thread_limit)
            let stack = ModelMemory.stack(threads.count)
            memory_add_thread(Int32(maker ?? -1))
            if isSettled, maker == nil { learn(threads.count) }
            order.addThread(madeBy: maker)
            threads.append(
                Thread(
                    name: name, maySleepForever: maySleepForever, body: body,
                    stack: cmodel_prepare(stack, ModelMemory.stackByteCount) { Explorer.runThread() },
                    earlyReturns: program.earlyReturns, maker: maker))
        }

        /// Makes a thread while a program is prepared, or by one of its threads: then it begins at once, and
        /// is interrupted before its first access at a shared site.
        package func startThread(_ name: String, maySleepForever: Bool, _ body: @escaping () -> Void) {
            guard isExploring else {
                return addThread(name, maySleepForever: maySleepForever, madeBy: nil, body)
            }
            let maker = current
            addThread(name, maySleepForever: maySleepForever, madeBy: maker, body)
            current = threads.count - 1
            cmodel_change(&threads[maker].stack, threads[current].stack)
            current = maker
        }

        /// Makes all writes of the other threads visible to a thread.
        func learn(_ index: Int) {
            for other in threads.indices { memory_join_thread(Int32(other), Int32(index)) }
        }

        /// Whether a thread has ended: then the present one knows all that it knew.
        package func join(_ thread: Int) -> Bool {
            guard threads[thread].status == .ended else { return false }
            memory_join_thread(Int32(thread), Int32(current))
            order.join(thread, into: current)
            return true
        }

        /// The number of the thread that runs.
        package var currentThread: Int { current }
        package var threadCount: Int { threads.count }
        /// Whether the last access of that thread was one that may write.
        package var hasJustWritten: Bool { threads[current].hasJustWritten }

        // MARK: Stacks

        /// Runs a thread, and those that it changes to, until one leaves: a new thread when it comes to its
        /// first access at a shared site.
        func enter(_ index: Int) {
            current = index
            let signal = cmodel_enter(threads[index].stack)
            if signal != 0 { noteViolation("\(threads[current].name) fails with signal \(signal)") }
        }

        private static func runThread() {
            let explorer = active.unsafelyUnwrapped  // set while an execution runs
            let index = explorer.current
            explorer.threads[index].body.take()?()
            explorer.end(index)
        }

        private func end(_ index: Int) {
            let isStarting = threads[index].status == .starting
            threads[index].status = .ended
            memory_end_thread(Int32(index))
            writeCount += 1
            note("\(threads[index].name) ends")
            if isStarting { leaveStart(index) }
            change(from: index, to: next(after: index))
        }

        /// Goes back to where the thread was made, when it comes to its first access at a shared site.
        private func leaveStart(_ index: Int) {
            if let maker = threads[index].maker {
                current = maker
                cmodel_change(&threads[index].stack, threads[maker].stack)
            } else {
                cmodel_leave(&threads[index].stack)
            }
        }

        /// Continues with another thread, or with none.
        private func change(from index: Int, to next: Int?) {
            guard next != index else { return }
            guard let next, !hasFailed else {
                cmodel_leave(&threads[index].stack)
                return
            }
            current = next
            cmodel_change(&threads[index].stack, threads[next].stack)
        }

        // MARK: Turns

        /// Yields to other threads, before an access that they may notice.
        func interrupt(before step: Step) {
            let index = current
            threads[index].pending = step
            if threads[index].status == .starting {
                threads[index].status = .ready
                leaveStart(index)
            } else {
                change(from: index, to: next(after: index))
            }
            threads[index].status = .ready
        }

        func wait(_ status: Status) {
            let index = current
            if case .locked = status {} else { threads[index].pending = Step() }
            let isStarting = threads[index].status == .starting
            threads[index].status = status
            if isStarting { leaveStart(index) } else { change(from: index, to: next(after: index)) }
            threads[index].status = .ready
        }

        /// The thread that makes the next access, or nil if none can.
        func next(after index: Int) -> Int? {
            var enabled: ThreadSet = []
            for other in threads.indices where canRun(other) { enabled.insert(ThreadSet(other)) }
            if enabled.isEmpty { return nextThatWaits() }
            let canContinue = index >= 0 && threads[index].status == .ready
            if isUnexplored { return canContinue ? index : enabled.first }
            return decisions.decide(enabled, after: index, canContinue: canContinue) { threads[$0].pending }
        }

        private func canRun(_ index: Int) -> Bool {
            switch threads[index].status {
            case .ready: true
            case .yielding(let count): count != writeCount
            case .locked(let lock): locks.isFree(lock)
            case .asleep(_, let deadline): deadline <= now
            default: false
            }
        }

        /// When all others wait or have ended: a thread that looks again and again, or one whose time is over
        /// next.
        private func nextThatWaits() -> Int? {
            if isUnexplored { return nil }
            let spinning = threads.indices.filter {
                if case .yielding = threads[$0].status { true } else { false }
            }
            if let index = spinning.first(where: { !threads[$0].isPatient }) {
                threads[index].patience = 8
                return index
            }
            var first = UInt64.max
            for thread in threads {
                if case .asleep(_, let deadline) = thread.status { first = min(first, deadline) }
            }
            guard first < .max else {
                if let index = spinning.first { noteViolation("\(threads[index].name) spins forever") }
                return nil
            }
            now = first
            return next(after: -1)
        }
    }
#endif
