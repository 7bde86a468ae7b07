#if os(Linux)
    import Dispatch
    import TestSupport

    @testable import QueuePools

    extension WorkerQueue {
        /// A queue with a mailbox, as a tier's, and a thread for itself, which is named after it.
        convenience init(
            withThread label: String, threads: ThreadOptions = ThreadOptions()
        ) throws(PoolError) {
            let settings = ThreadSettings(label: label, scheduling: ThreadScheduling(), threads: threads)
            markForkedChildren()
            _ = Supervisor.current()
            self.init(MailboxQueue(group: WorkerGroup(settings: settings, labels: [label]), index: 0))
        }

        /// A queue of a tier.
        var mailboxQueue: MailboxQueue { core as! MailboxQueue }
    }

    /// A queue of the engine, of either kind.
    protocol ThreadQueue {
        @discardableResult
        func async(_ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob
    }

    extension WorkerQueue: ThreadQueue {}
    extension ThreadBoundQueue: ThreadQueue {}

    extension ThreadQueue {
        /// Runs a closure on one of the queue's threads, unlike `sync`, and waits for it.
        func runOnThread<Value: Sendable>(
            _ body: @escaping @Sendable () throws -> Value
        ) throws -> Value {
            let outcomes = Recorder<Result<Value, any Error>>()
            let ended = DispatchSemaphore(value: 0)
            try async {
                outcomes.append(Result { try body() })
                ended.signal()
            }
            ended.wait()
            return try outcomes.elements[0].get()
        }
    }
#endif
