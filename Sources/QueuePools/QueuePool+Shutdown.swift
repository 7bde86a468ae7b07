import Dispatch

extension QueuePool {
    /// Stops intake, waits until every job accepted so far has run or was cancelled, then returns.
    ///
    /// Later calls of `async` throw ``PoolError`` (`.shutDown`); of submissions that race with this call,
    /// each is either refused or waited for. Tasks and actors that began on the pool's executors may go on:
    /// their next steps run, but are not waited for. A `DispatchQueue` that was handed out is the caller's own
    /// and stays usable; a ``WorkerQueue`` refuses `async` from then on and takes only `enqueue`. Calling it
    /// again, from any number of threads, waits for the same end.
    ///
    /// Blocks the calling thread. A job of the pool that called it would wait for itself: that traps.
    @available(*, noasync, message: "in asynchronous code, write 'await pool.shutdown()'")
    public func shutdown() {
        // Before anything else: of the Swift runtime's own locks, too, some may be held by threads that remained in the
        // parent.
        guard currentForkCount() == forkCount else { return }
        precondition(
            !isOnOwnQueue,
            "shutdown() of the pool \"\(label)\" was called by one of its jobs and would wait for it")
        let drained = DispatchSemaphore(value: 0)
        close { drained.signal() }
        drained.wait()
    }

    /// Stops intake and returns when every job accepted so far has run or was cancelled, without blocking a
    /// thread. Otherwise as the blocking form.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            close { continuation.resume() }
        }
    }
}
