#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization
    import TestSupport
    import TransactionScenarios
    import QueuePoolsTransactions

    /// What is tried with work that other threads have for the main queue and the main actor.
    enum HopScenario: String {
        case hops, idle, storm, manyThreads

        /// Runs it; the program ends when it is done.
        func start(on loop: ProbeLoop) {
            switch self {
            case .hops: Thread.detachNewThread { hop(on: loop) }
            case .idle: Thread.detachNewThread { rest(on: loop) }
            case .storm: weather(on: loop)
            case .manyThreads: hopFromManyThreads(on: loop)
            }
        }
    }

    /// Sends a block to the main queue and waits until it has run there.
    private func sendBlock() {
        let ran = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            MainActor.preconditionIsolated()
            ran.signal()
        }
        ran.wait()
    }

    /// Runs something on the main actor from a task elsewhere, and waits for it.
    private func callMainActor() {
        let ran = DispatchSemaphore(value: 0)
        Task.detached {
            await MainActor.run { MainActor.preconditionIsolated() }
            ran.signal()
        }
        ran.wait()
    }

    /// Reports whether the loop has woken up more often than there was work for it, at best: of a block that
    /// comes at the very end of a turn libdispatch may signal twice.
    private func hop(on loop: ProbeLoop) {
        sendBlock()
        var best = Int.max
        for _ in 0..<3 {
            let before = loop.wakeUps.load(ordering: .relaxed)
            for _ in 0..<20 { sendBlock() }
            for _ in 0..<20 { callMainActor() }
            best = min(best, loop.wakeUps.load(ordering: .relaxed) - before)
        }
        report("120 hops")
        report(best <= 40 ? "no more wake-ups" : "\(best) wake-ups for 40")
        finish()
    }

    /// Reports how often the loop and its waker wake up in a second in which nothing happens.
    private func rest(on loop: ProbeLoop) {
        sendBlock()
        callMainActor()
        // The turn of that call may not be over yet. A loop that polls is never at rest.
        var before = activity(of: loop)
        for _ in 0..<20 {
            Thread.sleep(forTimeInterval: 0.05)
            let now = activity(of: loop)
            defer { before = now }
            if now == before { break }
        }
        Thread.sleep(forTimeInterval: 1)
        let after = activity(of: loop)
        report("\(after.wakeUps - before.wakeUps)")
        report("\(after.switches - before.switches)")
        finish()
    }

    private func activity(of loop: ProbeLoop) -> (wakeUps: Int, switches: Int) {
        (loop.wakeUps.load(ordering: .relaxed), contextSwitches())
    }

    /// How often the main thread and the waker's thread have left a processor because they waited for
    /// something.
    private func contextSwitches() -> Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.reduce(0) { sum, thread in
            let path = "/proc/self/task/\(thread)/"
            guard
                let name = try? String(contentsOfFile: path + "comm", encoding: .utf8),
                thread == "\(getpid())" || name == "main-loop-waker\n",
                let status = try? String(contentsOfFile: path + "status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt") }),
                let count = line.split(separator: "\t").last.flatMap({ Int($0) })
            else { return sum }
            return sum + count
        }
    }

    /// A block that enqueues itself forever, a task that yields forever, a transaction that commits itself
    /// forever, and events and new blocks meanwhile.
    private func weather(on loop: ProbeLoop) {
        @Sendable func again() { DispatchQueue.main.async { again() } }
        again()
        Task { @MainActor in while true { await Task.yield() } }
        let target = Target()
        @Sendable func commitAgain() { Transaction(target, "again") { _ in commitAgain() }.commit() }
        commitAgain()
        Thread.detachNewThread {
            for _ in 0..<50 {
                let handled = DispatchSemaphore(value: 0)
                loop.post { handled.signal() }
                handled.wait()
                sendBlock()
            }
            report("50 events and blocks")
            finish()
        }
    }

    /// Four threads send blocks, each waits for some of them, so that the loop falls asleep and wakes up at
    /// all kinds of moments; a wake-up that is lost stops the program.
    private func hopFromManyThreads(on loop: ProbeLoop) {
        let (threads, hops) = (4, 5_000)
        let arrived = Counter()
        let ended = DispatchGroup()
        for thread in 0..<threads {
            DispatchQueue(label: "thread \(thread)").async(group: ended) {
                for hop in 0..<hops {
                    let ran = DispatchSemaphore(value: 0)
                    DispatchQueue.main.async {
                        arrived.increment()
                        ran.signal()
                    }
                    if hop % (thread + 2) == 0 { ran.wait() }
                }
            }
        }
        ended.notify(queue: .main) {
            report("\(arrived.value) of \(threads * hops)")
            finish()
        }
    }
#endif
