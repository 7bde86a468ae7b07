/// The kind of pool that layers draw on by default, and that a program does well to choose for itself.
///
/// On Linux a ``WorkerQueuePool``; elsewhere a ``DispatchQueuePool``, since Dispatch keeps its promises there.
///
///     let pool = try DefaultQueuePool(label: "tiles")
///     Task(executorPreference: DefaultQueuePool.shared.taskExecutor(for: .utility)) { … }
#if os(Linux)
    public typealias DefaultQueuePool = WorkerQueuePool
#else
    public typealias DefaultQueuePool = DispatchQueuePool
#endif
