#if os(Linux)
    import Synchronization

    /// A job whose time has not come. It can be cancelled until then.
    final class DelayedJob: JobOwner {
        // As in `CountedJob`: whoever wins the exchange, and nobody else, touches the body from then on.
        private let isTaken = Atomic<Bool>(false)
        private nonisolated(unsafe) var body: (@Sendable () -> Void)?
        private let worker: Worker

        init(worker: Worker, body: @escaping @Sendable () -> Void) {
            self.worker = worker
            self.body = body
        }

        /// The body to run, unless the job was cancelled.
        func begin() -> (@Sendable () -> Void)? {
            isTaken.exchange(true, ordering: .acquiringAndReleasing) ? nil : body.take()
        }

        func cancel(_: JobPlace) -> Bool {
            guard cancelUnattended() else { return false }
            worker.postCancelledTimer()
            return true
        }

        /// Cancels the job where nobody need be told to take it out of the timers.
        func cancelUnattended() -> Bool {
            guard begin() != nil else { return false }
            worker.countCancelled()
            return true
        }

        /// Of a job that is in the timers: whether it was cancelled.
        var isCancelled: Bool { isTaken.load(ordering: .relaxed) }
    }
#endif
