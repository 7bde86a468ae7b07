#if os(Linux)
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("How long a worker lives", .timeLimit(.minutes(5)))
    struct WorkerLifetimeTests {
        @Test("until the sender that found it asleep has woken it, though it has ended by then")
        func lateWaking() throws {
            // sender                         | guest, on its host
            // -------------------------------|------------------------------
            //                                | announces that it sleeps
            // publishes, is awaited          |
            //                                | is called for another reason
            //                                | takes the last letter, ends
            // wakes it                       |
            let crew = Crew(firstRetry: 3_600_000_000_000) {
                $0.label == "host" ? $0.startThread() : EAGAIN
            }
            let host = Worker(label: "host", settings: WorkerSettings(), crew: crew)
            host.finishJobs()
            let sender = try endBeforeWaking(hostedBy: host)
            crew.waitForRequests()
            try #require(sender.worker.object != nil, "freed under its sender")
            sender.wake()
            host.finishJobs()
            #expect(sender.worker.object == nil)
            host.retire()
        }

        @Test("no longer than its last delayed job, which nobody wakes it for", arguments: [false, true])
        func lastTimer(isHosted: Bool) throws {
            let ran = DispatchSemaphore(value: 0)
            let worker = try useOnce(isHosted: isHosted) { queue in
                try queue.async(after: .milliseconds(20)) { ran.signal() }
            }
            #expect(ran.wait(timeout: .now() + 60) == .success)
            #expect(worker.ends())
        }

        @Test(
            "no longer than its jobs, though cancelled ones would still have to wait",
            arguments: [false, true])
        func cancelledTimer(isHosted: Bool) throws {
            let worker = try useOnce(isHosted: isHosted) { queue in
                let jobs = try (0..<10).map { _ in try queue.async(after: .seconds(3_600)) {} }
                try queue.sync {}
                for job in jobs { #expect(job.cancel()) }
            }
            #expect(worker.ends())
        }

        @Test(
            "no longer than its jobs, though one was cancelled while others had still to come",
            arguments: [false, true])
        func cancelledAmongOthers(isHosted: Bool) throws {
            let worker = try useOnce(isHosted: isHosted) { queue in
                let ran = DispatchSemaphore(value: 0)
                for _ in 0..<3 { try queue.async(after: .milliseconds(20)) { ran.signal() } }
                #expect(try queue.async(after: .seconds(3_600)) {}.cancel())
                for _ in 0..<3 { ran.wait() }
            }
            #expect(worker.ends())
        }

        @Test(
            "no longer than its jobs, though one is cancelled after the queue was dropped",
            arguments: [false, true])
        func cancelledAfterwards(isHosted: Bool) throws {
            let jobs = Recorder<PoolJob>()
            let worker = try useOnce(isHosted: isHosted) { queue in
                for _ in 0..<10 { jobs.append(try queue.async(after: .seconds(3_600)) {}) }
                try queue.sync {}
            }
            let label = try #require(worker.object?.label)
            for job in jobs.elements { #expect(job.cancel()) }
            // The handles hold the worker; it is its thread, or its host's, that must end.
            let end = DispatchTime.now() + 60
            while threadCount(named: String(label.prefix(4))) > 0, DispatchTime.now() < end {}
            #expect(threadCount(named: String(label.prefix(4))) == 0)
        }

        /// Makes a queue, by itself or hosted by another of its pool, and drops it and its pool.
        private func useOnce(
            isHosted: Bool, _ body: (WorkerQueue) throws -> Void
        ) throws -> Weak<Worker> {
            let label = "w\(uniqueNumbers.increment() + 100)"
            if isHosted {
                let pool = try ThreadSupply.one.pool(2, label: label)
                let (host, guest) = (pool.queue(for: .default), pool.queue(for: .default))
                try host.sync {}
                try guest.sync {}
                try body(guest)
                return Weak(guest.worker)
            }
            let queue = try WorkerQueue(label: label)
            try body(queue)
            return Weak(queue.worker)
        }

        private func endBeforeWaking(hostedBy host: Worker) throws -> LateSender {
            let guest = Worker(label: "guest", settings: WorkerSettings(), crew: host.crew)
            guest.finishJobs()
            host.finishJobs()  // the visit is over, and ended with the announcement
            let last = Closure { [unowned guest] in guest.isRetired = true }.intoWords()
            let (slot, isAwaited) = guest.mailbox.publish(
                .errand, last.0, last.1, at: guest.mailbox.takePosition().position)
            #expect(isAwaited)
            host.post { guest.receive(hostedBy: host) }
            host.finishJobs()
            return LateSender(worker: Weak(guest), address: .passUnretained(guest), slot: slot)
        }
    }

    /// A sender between publishing a letter and waking its receiver. It holds nothing.
    private struct LateSender {
        let worker: Weak<Worker>
        let address: Unmanaged<Worker>
        let slot: UnsafeMutablePointer<MailboxSlot>

        func wake() { address._withUnsafeGuaranteedRef { $0.wakeReceiver(at: slot) } }
    }

    private struct Weak<Object: AnyObject> {
        private(set) weak var object: Object?

        init(_ object: Object) { self.object = object }

        /// Waits for the object's end, and gives up after a minute.
        func ends() -> Bool {
            let end = DispatchTime.now() + 60
            while object != nil, DispatchTime.now() < end { sched_yield() }
            return object == nil
        }
    }

    private let uniqueNumbers = Counter()

    extension Worker {
        fileprivate func finishJobs() {
            let ended = DispatchSemaphore(value: 0)
            #expect(submit { ended.signal() } != nil)
            ended.wait()
        }
    }
#endif
