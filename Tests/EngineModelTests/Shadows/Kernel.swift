#if os(Linux)
    internal import CQueuePoolsThreads
    import MemoryModel
    import QueuePoolsTopology

    // The engine's files use these in place of the functions of `CQueuePoolsThreads`, for the model's
    // threads.

    func cqp_monotonic_nanoseconds() -> UInt64 {
        Explorer.active.map(\.now) ?? CQueuePoolsThreads.cqp_monotonic_nanoseconds()
    }

    func cqp_coarse_nanoseconds() -> UInt64 { cqp_monotonic_nanoseconds() }

    /// A thread that looks for work has only read, and looks a few times: it continues. One that waits for
    /// the lock of a lane has written, and waits until others have continued.
    func cqp_thread_yield() {
        if let explorer = Explorer.running, explorer.hasJustWritten { explorer.yield() }
    }

    func cqp_sleep(_ microseconds: UInt32) { Explorer.running?.yield() }

    func cqp_futex_wait(_ word: UnsafeRawPointer!, _ expected: UInt32, _ deadline: UInt64) {
        Explorer.running?.sleep(UInt(bitPattern: word), while: expected, until: deadline)
    }

    func cqp_futex_wake(_ word: UnsafeRawPointer!) { Explorer.running?.wake(UInt(bitPattern: word)) }

    // MARK: Threads

    /// The engine's values of each thread of the execution; the last are those of the preparation. Each
    /// thread uses its own, and one runs at a time.
    private nonisolated(unsafe) let locals: UnsafeMutablePointer<cqp_thread> = {
        let locals = UnsafeMutablePointer<cqp_thread>.allocate(capacity: 16)
        locals.initialize(repeating: cqp_thread(), count: 16)
        return locals
    }()

    enum ModelThreads {
        /// A cell for each thread, which the thread writes and its joiner reads. The array changes between
        /// executions only.
        fileprivate nonisolated(unsafe) static var handles: [Cell] = []

        /// As at the beginning of a process.
        static func reset() {
            for index in 0..<16 { locals[index] = cqp_thread() }
            handles = (0..<16).map { _ in Cell() }
        }
    }

    func cqp_current_thread() -> UnsafeMutablePointer<cqp_thread>! {
        locals + (Explorer.running?.currentThread ?? 15)
    }

    func cqp_thread_start(
        _ main: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ argument: UnsafeMutableRawPointer?,
        _ stackByteCount: Int, _ isJoined: Bool
    ) -> Int32 {
        guard let explorer = Explorer.active, let main else { return 11 }
        nonisolated(unsafe) let argument = argument
        explorer.startThread("thread \(explorer.threadCount)", maySleepForever: true) {
            locals[explorer.currentThread] = cqp_thread()
            main(argument)
        }
        return 0
    }

    func cqp_thread_handle() -> UInt {
        let thread = Explorer.running?.currentThread ?? 15
        ModelThreads.handles[thread].write()
        return UInt(thread) + 1
    }

    func cqp_thread_join(_ thread: UInt) {
        guard let explorer = Explorer.running else { return }
        ModelThreads.handles[Int(thread) - 1].read()
        while !explorer.join(Int(thread) - 1) { explorer.yield() }
    }

    func cqp_thread_detach(_ thread: UInt) {}

    func cqp_thread_at_end(
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void, _ argument: UnsafeMutableRawPointer?
    ) {
        body(argument)
    }

    func cqp_thread_end_argument() -> UnsafeMutableRawPointer? { nil }

    func cqp_thread_set_name(_ name: String) {}

    func cqp_process_nice() -> Int32 { 0 }

    func cqp_is_first_thread() -> Bool { false }

    func cqp_thread_get_scheduling(
        _ thread: Int32, _ scheduling: UnsafeMutablePointer<cqp_scheduling>
    ) -> Int32 {
        scheduling.pointee = cqp_scheduling(policy: 0, nice: 0, slice_nanoseconds: 100_000)
        return 0
    }

    func cqp_thread_set_scheduling(_ scheduling: UnsafePointer<cqp_scheduling>) -> Int32 { 0 }

    /// The engine's files use this in place of `QueuePoolsTopology.AffinityMask`.
    enum AffinityMask {
        static func addCPUsOfFirstThread() -> Bool { true }
        static func confineCurrentThread(to cpus: [Int]) -> Bool { true }
    }
#endif
