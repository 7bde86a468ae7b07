#if os(Linux)
    import Dispatch
    import Synchronization

    /// A call of ``WorkerQueue/sync(_:)``, in the caller's frame.
    ///
    /// The job knows only its address, so it holds no reference to the closure when it signals: the caller
    /// may go on at that moment, and its closure must not be in use any more.
    struct SynchronousCall<Result> {
        private var body: (() throws -> Result)?
        private var outcome: Swift.Result<Result, any Error>?
        private let ended = DispatchSemaphore(value: 0)

        init(body: @escaping () throws -> Result) {
            self.body = body
        }

        /// Submits the call and waits for its end. Must not move meanwhile.
        static func perform(_ call: UnsafeMutablePointer<Self>, on worker: Worker) throws -> Result {
            nonisolated(unsafe) let call = call
            let ended = call.pointee.ended
            guard
                worker.submit({
                    call.pointee.run()
                    ended.signal()
                }) != nil
            else { throw worker.refusal }
            worker.wait(for: ended)
            return try call.pointee.outcome.unsafelyUnwrapped.get()
        }

        private mutating func run() {
            outcome = Swift.Result { [body] in try body.unsafelyUnwrapped() }
            body = nil
        }
    }

    extension Worker {
        /// Waits for a job of this worker to signal its end. If it is the caller's own thread that receives
        /// for this worker, as its host, then it does so now.
        ///
        /// Hosts are colleagues, so a colleague must first know who receives. The request for that has been
        /// sent, or is about to be, by whoever opened this worker; and the crew has the caller's thread at
        /// least, so it ends with a thread or a host.
        fileprivate func wait(for ended: DispatchSemaphore) {
            while !hasReceiver, Worker.isCallersCrew(crew) { crew.waitForRequests() }
            while let host = host.load(ordering: .acquiring)?.takeUnretainedValue(), host.isOnOwnThread {
                if ended.wait(timeout: .now()) == .success { return }
                receive(hostedBy: host)
            }
            ended.wait()
        }
    }
#endif
