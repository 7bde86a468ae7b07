#if os(Linux)
    import CLinuxThreads
    import Locks
    import Synchronization

    /// A call of ``WorkerQueue/sync(_:)`` that waits for its turn, on the caller's stack.
    ///
    /// The call is a message. Its closure runs on the thread of the caller, who holds the queue meanwhile: the holder that
    /// comes to the message hands the queue over.
    ///
    /// # Worker threads that wait
    ///
    /// If all threads of a group wait in calls, then none is left to run the jobs that they wait for. So a worker thread
    /// that waits, of whichever group, runs the queue itself while that is ready. It is woken when the queue becomes ready
    /// again (``WorkerGroup/waiters``): it enters itself and then looks at `ready`, while the thread that makes the queue
    /// ready sets the bit and then looks for waiters; both are sequentially consistent. Other threads, such as the main
    /// thread, only wait: the jobs of others should not run there.
    struct SyncCall: ~Copyable {
        enum State: UInt32 {
            case waiting
            /// The queue has become ready.
            case look
            /// The queue is the caller's.
            case granted
        }

        private let state = Atomic<UInt32>(State.waiting.rawValue)

        /// Hands a queue over, which the calling thread holds, to the caller whose message is next.
        static func grant(_ message: Message) {
            let call = UnsafePointer<SyncCall>(bitPattern: message.first).unsafelyUnwrapped
            call.pointee.state.store(State.granted.rawValue, ordering: .releasing)
            // The caller may have gone on, and the memory may be another call's: a wake-up for nothing.
            clinux_futex_wake(call)
        }

        /// Waits until the caller holds the queue.
        func wait(for queue: WorkerQueue, at address: UnsafePointer<SyncCall>) {
            guard let thread = WorkerThread.current else {
                while state.load(ordering: .acquiring) != State.granted.rawValue {
                    clinux_futex_wait(address, State.waiting.rawValue, .max)
                }
                return
            }
            if thread.next != nil { thread.wakeForNext() }
            queue.group.waiters.add(address, for: queue.index)
            defer { queue.group.waiters.remove(address) }
            while state.load(ordering: .acquiring) != State.granted.rawValue {
                if queue.group.claimReady(queue.index) {
                    if queue.runUntil(call: address) { return }
                } else {
                    clinux_futex_wait(address, State.waiting.rawValue, .max)
                    _ = state.compareExchange(
                        expected: State.look.rawValue, desired: State.waiting.rawValue, ordering: .acquiring)
                }
            }
        }

        /// Has the caller look whether it can run the queue.
        func nudge(at address: UnsafePointer<SyncCall>) {
            let (isNudged, _) = state.compareExchange(
                expected: State.waiting.rawValue, desired: State.look.rawValue, ordering: .releasing)
            if isNudged { clinux_futex_wake(address) }
        }
    }

    /// Worker threads that wait in calls of `sync`, by the number of the queue.
    struct SyncWaiters: ~Copyable {
        /// A call on the stack of a thread that waits, and so is there as long as it is listed.
        struct Waiter: @unchecked Sendable {
            let queue: Int
            let call: UnsafePointer<SyncCall>
        }

        private let waiters = Lock<[Waiter]>([])
        private let count = Atomic<Int>(0)

        func add(_ call: UnsafePointer<SyncCall>, for queue: Int) {
            let waiter = Waiter(queue: queue, call: call)
            waiters.withLock { $0.append(waiter) }
            count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        }

        func remove(_ call: UnsafePointer<SyncCall>) {
            let address = UInt(bitPattern: call)
            waiters.withLock { $0.removeAll { UInt(bitPattern: $0.call) == address } }
            count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }

        func contain(_ queue: Int) -> Bool {
            guard count.load(ordering: .sequentiallyConsistent) != 0 else { return false }
            return waiters.withLock { $0.contains { $0.queue == queue } }
        }

        /// Has those that wait for a queue look whether they can run it.
        @inline(__always)
        func nudge(_ queue: Int) {
            if count.load(ordering: .sequentiallyConsistent) != 0 { nudgeSlowly(queue) }
        }

        @inline(never)
        private func nudgeSlowly(_ queue: Int) {
            waiters.withLock { waiters in
                for waiter in waiters where waiter.queue == queue { waiter.call.pointee.nudge(at: waiter.call) }
            }
        }
    }
#endif
