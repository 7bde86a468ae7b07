#if os(Linux)
    /// The kind of pool that layers draw on by default, and that a program does well to choose for itself: on
    /// Linux a ``WorkerQueuePool``.
    ///
    ///     let pool = try DefaultQueuePool(label: "tiles")
    ///     Task(executorPreference: DefaultQueuePool.shared.taskExecutor(for: .utility)) { … }
    public typealias DefaultQueuePool = WorkerQueuePool
#else
    /// The kind of pool that layers draw on by default, and that a program does well to choose for itself: on
    /// this system a ``DispatchQueuePool``, whose promises Dispatch keeps here.
    public typealias DefaultQueuePool = DispatchQueuePool
#endif
