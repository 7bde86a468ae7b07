#if os(Linux)
    import MemoryModel

    extension JobCapacity {
        /// Describes the fault unless this many places are free; otherwise nil.
        func problem(free: Int) -> String? {
            var count = 0
            while count < 10, take() { count += 1 }
            return count == free ? nil : "\(count) places are free, not \(free)"
        }
    }

    /// A capacity all of whose places are taken, and calls that want one.
    final class CapacityStage: @unchecked Sendable {  // one thread of the execution runs at a time
        let capacity: JobCapacity
        private(set) var placed: [Int] = []
        private(set) var cancelled: [Int] = []

        init(_ count: Int = 1) {
            capacity = JobCapacity(count)
            for _ in 0..<count { _ = capacity.take() }
        }

        /// - Parameter needsPlace: whether the call still needs a place when it is resumed.
        @discardableResult
        func enter(
            _ number: Int, atMost limit: Int? = nil, needsPlace: Bool = true,
            besideThread: @autoclosure @escaping @Sendable () -> Bool = false
        ) -> PoolJob? {
            let entry = capacity.enter(waitingAtMost: limit) { [self] step in
                guard step == .resumes else { return besideThread() }
                if needsPlace { placed.append(number) } else { cancelled.append(number) }
                return needsPlace
            }
            if case .waitingForRoom(let job) = entry { return job }
            if case .room = entry { placed.append(number) }
            return nil
        }

        func cancel(_ number: Int, _ call: PoolJob?) {
            if call?.cancel() == true { cancelled.append(number) }
        }

        func problem(placed: [Int]) -> String? { self.placed == placed ? nil : "placed \(self.placed)" }
    }

    extension ModelProgram {
        /// Places of a tier's capacity. Each place is given once, and no call waits beside a free one.
        static let capacities: [ModelProgram] = [
            ModelProgram("a call begins to wait while a place is returned") { execution in
                let stage = CapacityStage()
                execution.thread("caller") { stage.enter(1) }
                execution.thread("job") { stage.capacity.giveBack() }
                execution.check { stage.problem(placed: [1]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("a call begins to wait while a thread takes another job") { execution in
                let stage = CapacityStage()
                stage.capacity.addThreads(1)
                stage.capacity.begin()
                _ = stage.capacity.take()
                execution.thread("caller") { stage.enter(1, besideThread: true) }
                execution.thread("thread") {
                    stage.capacity.end()
                    stage.capacity.begin()
                }
                execution.check { stage.problem(placed: [1]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("a call begins to wait while its queue becomes idle") { execution in
                let stage = CapacityStage()
                stage.capacity.addThreads(1)
                let isIdle = Atomic(0)
                execution.thread("caller") {
                    stage.enter(1, besideThread: isIdle.load(ordering: .relaxed) == 1)
                }
                execution.thread("holder") {
                    isIdle.store(1, ordering: .relaxed)
                    stage.capacity.lookForCalls()
                }
                execution.check { stage.problem(placed: [1]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("a call that waits is cancelled while a place is returned") { execution in
                let stage = CapacityStage()
                let call = stage.enter(1)
                execution.thread("canceller") { stage.cancel(1, call) }
                execution.thread("job") { stage.capacity.giveBack() }
                execution.check {
                    stage.problem(placed: stage.cancelled.isEmpty ? [1] : [])
                        ?? stage.capacity.problem(free: stage.cancelled.count)
                }
            },
            ModelProgram("the first of two waiting calls is cancelled, and a thread freed") { execution in
                let stage = CapacityStage()
                stage.capacity.addThreads(1)
                stage.capacity.begin()
                _ = stage.capacity.take()
                let call = stage.enter(1)
                stage.enter(2, besideThread: true)
                execution.thread("canceller") { stage.cancel(1, call) }
                execution.thread("thread") { stage.capacity.end() }
                execution.check { stage.problem(placed: [2]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("two places are returned to two calls") { execution in
                let stage = CapacityStage(2)
                stage.enter(1)
                stage.enter(2)
                execution.thread("job 1") { stage.capacity.giveBack() }
                execution.thread("job 2") { stage.capacity.giveBack() }
                execution.check { stage.problem(placed: [1, 2]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("a resumed call needs no place") { execution in
                let stage = CapacityStage()
                stage.enter(1, needsPlace: false)
                execution.thread("caller") { stage.enter(2) }
                execution.thread("job") { stage.capacity.giveBack() }
                execution.check {
                    stage.cancelled == [1]
                        ? stage.problem(placed: [2]) ?? stage.capacity.problem(free: 0)
                        : "cancelled \(stage.cancelled)"
                }
            },
            ModelProgram("a call comes behind one that waits") { execution in
                let stage = CapacityStage()
                stage.enter(1)
                execution.thread("caller") { stage.enter(2) }
                execution.thread("job") {
                    stage.capacity.giveBack()
                    stage.capacity.giveBack()
                }
                execution.check { stage.problem(placed: [1, 2]) ?? stage.capacity.problem(free: 0) }
            },
            ModelProgram("all calls are resumed while one comes") { execution in
                let stage = CapacityStage()
                stage.enter(1)
                execution.thread("caller") { stage.enter(2) }
                execution.thread("closer") { stage.capacity.resumeAll() }
                execution.thread("job") { stage.capacity.giveBack() }
                execution.check { stage.placed.sorted() == [1, 2] ? nil : "placed \(stage.placed)" }
            },
        ]
    }
#endif
