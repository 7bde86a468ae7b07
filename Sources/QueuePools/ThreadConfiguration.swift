/// How the threads of worker queues are made, wait and end. Values are checked when a pool or a queue is made from
/// them.
///
/// The hooks are called on the thread itself, outside of any queue: they may submit jobs, but must not wait for jobs
/// that the thread is to run. They are called at once by several threads, and retained as long as the threads are.
public struct ThreadConfiguration: Sendable {
    /// Called on a thread or about it, with the thread's label.
    ///
    /// The label is `<pool>.<tier>.<index>`, `<pool>.<tier>` if the tier has one thread, or that of a queue made by
    /// itself. Linux cuts it to 15 bytes for the thread's name. Each NUMA node's threads count from 0.
    public typealias Hook = @Sendable (_ label: String) -> Void

    /// How long a thread waits for work before it ends. Default: 60 s.
    ///
    /// With zero it ends as soon as it has nothing to do. A time of more than 292 years never ends. Of each tier (and NUMA
    /// node) that was used one thread stays, as does the thread of a queue made with `runsSyncOnThread`.
    public var idleLifetime: Duration

    /// The size of a thread's stack in bytes: 64 KiB, or what the system requires if that is more
    /// (`PTHREAD_STACK_MIN`), to 1 GiB. Default: nil, the system's choice (8 MiB, unless `ulimit -s` says otherwise).
    ///
    /// Linux provides memory for the part that is used only. Where the system has no address space for the
    /// stack, it has no thread: `PoolError.Code.noThread`.
    public var stackSize: Int?

    /// How often a thread that has nothing to do yields before it sleeps: 0…10,000. Default: 8;
    /// `Docs/Decisions/0004-worker-queues.md` has the figures.
    ///
    /// Threads with slices longer than 0.2 ms do not yield, those of userInteractive only if they had several jobs.
    public var yieldsBeforeParking: Int

    /// Called before a thread's first job, when it has its name, scheduling and CPUs. Default: nil.
    public var whenStarted: Hook?

    /// Called after a thread's last job, by when another thread may have taken its place. Default: nil.
    ///
    /// It is not called in a forked child, nor by threads that are idle when the process exits.
    public var whenEnding: Hook?

    /// Describes threads.
    public init(
        idleLifetime: Duration = .seconds(60),
        stackSize: Int? = nil,
        yieldsBeforeParking: Int = 8,
        whenStarted: Hook? = nil,
        whenEnding: Hook? = nil
    ) {
        self.idleLifetime = idleLifetime
        self.stackSize = stackSize
        self.yieldsBeforeParking = yieldsBeforeParking
        self.whenStarted = whenStarted
        self.whenEnding = whenEnding
    }
}
