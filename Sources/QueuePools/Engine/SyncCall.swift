#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization

    /// A call of ``WorkerQueue/sync(_:)`` that waits for its turn, on the caller's stack.
    ///
    /// The holder that comes to the call's message hands the queue over to the caller's thread, which runs
    /// the closure. Only the thread of a ``ThreadBoundQueue`` calls the closure itself. A thread that waits
    /// for the supervisor waits in such a call, too (``Supervisor/performAndWait(_:)``).
    ///
    /// # Worker threads that wait
    ///
    /// If all threads of a group wait in calls, none is left to run the jobs that they wait for. So a worker
    /// thread that waits, of any group, runs the queue itself: immediately if the queue is ready and its
    /// group has no free thread, and after a millisecond in any case, as a free thread may have taken other
    /// work. It is woken when the queue becomes ready (``WorkerGroup/waiters``): it enters itself and then
    /// looks at `ready`, while the thread that makes the queue ready sets the bit and then looks for waiters;
    /// all four are sequentially consistent. Other threads, such as the main thread, only wait.
    ///
    /// The holder of the queue may itself wait for another queue, and so on. Each thread that waits notes at
    /// the queues that it holds which one it waits for. A worker runs the last queue of this chain. A thread
    /// that finds a queue of its own in the chain traps: all threads of the cycle would wait forever. Notes
    /// are made before the chain is followed, and made and read under the lock of their queue. So of a
    /// cycle's threads, the one that takes its lock last to make a note finds all of them.
    struct SyncCall: ~Copyable {
        enum State: UInt32, AtomicRepresentable {
            case waiting
            case asleep
            /// The queue has become ready.
            case look
            /// The queue is the caller's, or its closure has returned.
            case granted
        }

        private let state = Atomic<State>(.waiting)
        /// The closure for the thread of a ``ThreadBoundQueue``, which calls it while the caller waits. The
        /// message and the grant order both threads' accesses.
        private let body: (() -> Void)?

        /// Passes a new call, which may be used until `use` returns. Other threads have its address from the
        /// message, and write its state until they have granted it.
        @inline(__always)
        static func withCall<Result: ~Copyable>(
            calling body: (() -> Void)? = nil, _ use: (UnsafePointer<SyncCall>) -> Result
        ) -> Result {
            withUnsafeTemporaryAllocation(of: SyncCall.self, capacity: 1) { calls in
                let call = calls.baseAddress.unsafelyUnwrapped
                call.initialize(to: SyncCall(body: body))
                defer { call.deinitialize(count: 1) }
                return use(call)
            }
        }

        fileprivate static func at(_ address: UInt) -> UnsafePointer<SyncCall> {
            UnsafePointer(bitPattern: address).unsafelyUnwrapped
        }

        /// Resumes the sender of this message, which holds the queue then, or whose closure was called.
        static func grant(_ message: consuming Message) { grant(at(message.intoParts().words.0)) }

        static func grant(_ call: UnsafePointer<SyncCall>) {
            let before = call.pointee.state.exchange(.granted, ordering: .releasing)
            // The caller may have continued, and the memory be another call's, which then wakes needlessly.
            if before == .asleep { cqp_futex_wake(call) }
        }

        /// Calls a message's closure. A function of its own, so that nothing of it is retained when the
        /// caller continues.
        @inline(never)
        static func callBody(of message: borrowing Message) { at(message.words.0).pointee.body?() }

        /// Waits until the queue's own thread has called the closure.
        func waitForCall(on queue: MailboxQueue, at address: UnsafePointer<SyncCall>) {
            noting(queue) { wait(at: address) }
        }

        /// Waits until the caller holds the queue, and helps meanwhile.
        func waitToHold(_ queue: EngineQueue, at address: UnsafePointer<SyncCall>) {
            noting(queue) {
                guard let thread = WorkerThread.current else { return wait(at: address) }
                queue.group.waiters.add(address, for: queue)
                defer { queue.group.waiters.remove(address) }
                helpUntilGranted(queue, at: address, on: thread)
            }
        }

        /// While the thread waits, notes at each queue that it holds which queue it waits for.
        private func noting(_ queue: EngineQueue, _ wait: () -> Void) {
            let held = RunFrame.heldQueues.map { ($0, $0.note(holderWaitsFor: queue)) }
            defer { for (held, before) in held { _ = held.note(holderWaitsFor: before) } }
            _ = Self.lastOfChain(from: queue)
            WorkerThread.current?.sendNext()
            wait()
        }

        /// Runs queues of the chain until the call is granted.
        private func helpUntilGranted(
            _ queue: EngineQueue, at address: UnsafePointer<SyncCall>, on thread: WorkerThread
        ) {
            var deadline = UInt64.max
            while !isGranted {
                let now = cqp_monotonic_nanoseconds()
                let last = Self.lastOfChain(from: queue)
                let isReady = last?.isReady == true
                deadline = isReady ? min(deadline, now + 1_000_000) : .max
                if let last, isReady, !last.group.parking.hasFreeThread || now >= deadline,
                    // While this thread holds it, it stays the last one, if it is that now.
                    last.help(
                        untilGranted: address, if: { Self.lastOfChain(from: queue) === last })
                {
                    thread.sendNext()
                } else {
                    // Nothing wakes this thread when the end of the chain changes.
                    sleep(at: address, until: last === queue ? deadline : min(deadline, now + 10_000_000))
                }
            }
        }

        /// The queue that must run so that another continues: that one, or the last that holders of the chain
        /// wait for. Nil if other threads wait in a cycle, of which one is about to trap.
        ///
        /// Each step leads to another thread that waits, and Linux has at most 2²² threads. Such a cycle is
        /// found before (Brent's algorithm): when the walk comes again to the queue that it had reached after
        /// a power of two of steps. The chain may change meanwhile, so there need not be one.
        private static func lastOfChain(from queue: EngineQueue) -> EngineQueue? {
            var (last, passed) = (queue, EngineQueue?.none)
            for step in 1...1 << 22 {
                guard let next = last.awaitedByHolder.withLock({ $0 }) else { return last }
                require(
                    !RunFrame.isHeldByThread(next),
                    """
                    sync on the queue "\(queue.label)" would never return: queues wait for each other in a \
                    cycle
                    """)
                if next === passed { return nil }
                if step & (step - 1) == 0 { passed = next }
                last = next
            }
            return nil
        }

        var isGranted: Bool { state.load(ordering: .acquiring) == .granted }

        /// Waits until the call is granted. The granting thread's writes are visible then.
        func wait(at address: UnsafePointer<SyncCall>) {
            while !isGranted { sleep(at: address, until: .max) }
        }

        private func sleep(at address: UnsafePointer<SyncCall>, until deadline: UInt64) {
            if state.compareExchange(expected: .waiting, desired: .asleep, ordering: .relaxed).exchanged {
                cqp_futex_wait(address, State.asleep.rawValue, deadline)
            }
            // Unless it was granted meanwhile. Relaxed: the next look at that also acquires the writes before
            // a `requestLook`, because this continues its release sequence.
            for state in [State.asleep, .look] {
                _ = self.state.compareExchange(expected: state, desired: .waiting, ordering: .relaxed)
            }
        }

        /// Wakes the caller, which looks whether it can run the queue.
        func requestLook(at address: UnsafePointer<SyncCall>) {
            var before = state.load(ordering: .relaxed)
            while before != .granted {
                // Also if it is to look already, so that it acquires this thread's writes.
                let change = state.compareExchange(expected: before, desired: .look, ordering: .releasing)
                if change.exchanged {
                    if before == .asleep { cqp_futex_wake(address) }
                    return
                }
                before = change.original
            }
        }
    }

    extension EngineQueue {
        /// Notes which queue this one's holder waits for. Returns the note before.
        fileprivate func note(holderWaitsFor queue: EngineQueue?) -> EngineQueue? {
            let before = awaitedByHolder.withLock { note in
                defer { note = queue }
                return note
            }
            group.waiters.requestLook(address)
            return before
        }
    }

    /// Worker threads that wait in calls of `sync`, by the address of the queue.
    struct SyncWaiters: ~Copyable {
        /// The addresses of calls on the stacks of threads that wait, which are valid while they are listed.
        private let waiters = Lock<[(queue: UInt, call: UInt)]>([])
        private let count = Atomic<Int>(0)

        func add(_ call: UnsafePointer<SyncCall>, for queue: EngineQueue) {
            let address = UInt(bitPattern: call)
            waiters.withLock { $0.append((queue.address, address)) }
            count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }

        func remove(_ call: UnsafePointer<SyncCall>) {
            let address = UInt(bitPattern: call)
            waiters.withLock { $0.removeAll { $0.call == address } }
            count.wrappingSubtract(1, ordering: .relaxed)  // seen late, it costs a look at the list
        }

        /// Whether a worker waits for a queue. A hint, so relaxed.
        func contain(_ queue: EngineQueue) -> Bool {
            guard count.load(ordering: .relaxed) != 0 else { return false }
            return waiters.withLock { $0.contains { $0.queue == queue.address } }
        }

        /// Wakes the workers that wait for a queue, which look whether they can run it.
        @inline(__always)
        func requestLook(_ queue: UInt) {
            if count.load(ordering: .sequentiallyConsistent) != 0 { requestLooks(queue) }
        }

        @inline(never)
        private func requestLooks(_ queue: UInt) {
            waiters.withLock { waiters in
                for waiter in waiters where waiter.queue == queue {
                    let call = SyncCall.at(waiter.call)
                    call.pointee.requestLook(at: call)
                }
            }
        }
    }
#endif
