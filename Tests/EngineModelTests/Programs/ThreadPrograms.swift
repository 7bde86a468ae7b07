#if os(Linux)
    import MemoryModel

    extension ModelProgram {
        /// How threads park, are woken, made and ended.
        static let threads: [ModelProgram] = [
            ModelProgram("one parks", preemptions: 3) { execution in
                let stage = EngineStage(execution)
                stage.addThread()
                stage.thread("sender") { stage.send(1) }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("one parks beside a lane", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.hasLanes = true }
                stage.addThread()
                stage.thread("sender") { stage.submit(1) }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("one looks", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.yields = 1 }
                stage.addThread()
                stage.thread("sender") {
                    stage.send(1)
                    stage.send(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("one is woken") { execution in
                let stage = EngineStage(execution)
                stage.addThread()
                execution.settle()
                stage.thread("sender") { stage.send(1) }
                execution.check {
                    // Awake when it was made; asleep; woken; asleep again.
                    stage.problem([1])
                        ?? (stage.group.threadSlots[0].state.changes <= 3
                            ? nil : "a thread was woken and found nothing")
                }
            },
            ModelProgram("a caller hands over", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                let cell = Cell()
                stage.addThread()
                execution.settle()
                stage.thread("caller") { stage.sync(1) { cell.write() } }
                stage.thread("sender") { stage.send(2) { cell.write() } }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("one is made", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                execution.settle()
                stage.thread("sender 1") { stage.send(1) }
                stage.thread("sender 2") { stage.send(2) }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("one ends") { execution in
                let stage = EngineStage(execution)
                stage.addThread()
                stage.thread("closer") { stage.group.retire() }
                execution.check {
                    stage.group.unended.pointee.load(ordering: .relaxed) == 0 ? nil : "a thread has not ended"
                }
            },
            ModelProgram("one is retired before it was made", preemptions: 1) { execution in
                let stage = EngineStage(execution)
                execution.settle()
                stage.thread("closer") { stage.group.retire() }
                stage.thread("sender") { stage.send(1) }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("one looks, and another sleeps", preemptions: 1) { execution in
                let stage = EngineStage(execution) {
                    ($0.threads, $0.hasLanes, $0.yields) = (2, true, 1)
                }
                stage.claimSlot(0)
                stage.addThread(1)
                execution.settle()
                stage.startThread(0)
                stage.thread("sender") {
                    stage.send(1) { stage.wait(for: 2) }
                    stage.submit(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("one looks, and another parks", preemptions: 1) { execution in
                let stage = EngineStage(execution) { ($0.threads, $0.queues, $0.yields) = (2, 2, 1) }
                stage.addThread(0)
                stage.addThread(1)
                stage.thread("sender") {
                    stage.send(1) { stage.wait(for: 2) }
                    stage.send(2, to: 1)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("one looks, and another parks beside a lane", preemptions: 2) { execution in
                let stage = EngineStage(execution) {
                    ($0.threads, $0.hasLanes, $0.yields) = (2, true, 1)
                }
                stage.addThread(0)
                stage.addThread(1)
                stage.thread("sender") {
                    stage.send(1) { stage.wait(for: 2) }
                    stage.submit(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("two park in words of their own", preemptions: 1) { execution in
                let stage = EngineStage(execution) {
                    ($0.threads, $0.hasLanes, $0.slotsPerWord) = (2, true, 1)
                }
                stage.addThread(0)
                stage.addThread(1)
                stage.thread("sender") {
                    stage.submit(1) { stage.wait(for: 2) }
                    stage.submit(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("both sleep, each in a word of its own", preemptions: 1) { execution in
                let stage = EngineStage(execution) {
                    ($0.threads, $0.hasLanes, $0.slotsPerWord) = (2, true, 1)
                }
                stage.addThread(0)
                stage.addThread(1)
                execution.settle()
                stage.thread("sender") {
                    stage.submit(1) { stage.wait(for: 2) }
                    stage.submit(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            // A sender has claimed the slot. Before it requests a thread, another has one made there, which
            // ends.
            ModelProgram("two threads have one slot", preemptions: 1, earlyReturns: 1) { execution in
                nonisolated(unsafe) var hasEnded = false
                let cell = Cell()
                let stage = EngineStage(execution) {
                    ($0.endIdle, $0.isUnused) = (true, true)
                    $0.adjust = {
                        $0.threads.onStart = { _ in cell.write() }
                        $0.threads.onEnd = { _ in hasEnded = true }
                    }
                }
                _ = stage.group.parking.claim(0)
                execution.settle()
                stage.thread("submitter") { _ = stage.group.acceptsJobs }
                stage.thread("sender") {
                    while !hasEnded { execution.explorer.yield() }
                    stage.group.makeThread(at: 0)
                }
                execution.check { nil }
            },
            ModelProgram("one is made while a shutdown joins", preemptions: 2) { execution in
                nonisolated(unsafe) var hasEnded = false
                let stage = EngineStage(execution) {
                    $0.isUnused = true
                    $0.adjust = {
                        $0.threads.onStart = { _ in
                            if hasEnded { execution.explorer.fail("a thread begins after the shutdown") }
                        }
                    }
                }
                execution.settle()
                stage.thread("submitter") { _ = stage.group.acceptsJobs }
                stage.thread("closer") {
                    stage.shutDown()
                    hasEnded = true
                }
                execution.check { stage.hasThreads ? "a thread has not ended" : nil }
            },
            ModelProgram("two end", preemptions: 2) { execution in
                let cell = (Cell(), Cell())
                let stage = EngineStage(execution) {
                    $0.threads = 2
                    $0.adjust = { $0.threads.onEnd = { $0 == "model.0" ? cell.0.write() : cell.1.write() } }
                }
                stage.addThread(0)
                stage.addThread(1)
                execution.settle()
                stage.thread("closer") {
                    stage.shutDown()
                    cell.0.read()
                    cell.1.read()
                }
                execution.check { stage.hasThreads ? "a thread has not ended" : nil }
            },
            ModelProgram("one has ended before a shutdown", preemptions: 2, earlyReturns: 1) { execution in
                let cell = Cell()
                let stage = EngineStage(execution) {
                    $0.endIdle = true
                    $0.adjust = { $0.threads.onEnd = { _ in cell.write() } }
                }
                stage.addThread()
                stage.thread("closer") {
                    stage.shutDown()
                    cell.read()
                }
                execution.check { stage.hasThreads ? "a thread has not ended" : nil }
            },
            ModelProgram("one is made for a late job", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                execution.settle()
                stage.thread("closer") { stage.shutDown() }
                stage.thread("sender") { stage.send(1) }
                execution.check { stage.problem([1]) }
            },
        ]

        static let calls: [ModelProgram] = [
            ModelProgram("two call sync", preemptions: 3) { execution in
                let stage = EngineStage(execution)
                stage.addThread()
                stage.thread("caller 1") { stage.sync(1) }
                stage.thread("caller 2") { stage.sync(2) }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a call is granted", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                let cell = Cell()
                stage.addThread()
                execution.settle()
                stage.thread("caller") {
                    stage.send(1) { cell.write() }
                    stage.sync(2) { cell.read() }
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a call claims", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.yields = 1 }
                let cell = Cell()
                stage.addThread()
                stage.send(1) { cell.write() }
                stage.thread("caller") { stage.sync(2) { cell.write() } }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a worker waits in a call", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.queues = 2 }
                let cell = Cell()
                stage.addThread()
                stage.send(2) { stage.sync(1, on: 1) { cell.write() } }
                stage.thread("caller") { stage.sync(3, on: 1) { cell.write() } }
                execution.check { stage.problem([1, 2, 3]) }
            },
        ]
    }
#endif
