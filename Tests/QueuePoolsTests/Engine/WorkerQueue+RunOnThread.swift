#if os(Linux)
    import Dispatch
    import QueuePools
    import TestSupport

    extension WorkerQueue {
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
