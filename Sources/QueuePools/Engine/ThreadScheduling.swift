/// How the kernel schedules a worker's thread, among threads of this and other programs.
///
/// Set once, when the thread starts, by the thread itself. Everything that lowers a thread's claims needs no
/// privileges; `Docs/Platforms.md` has the figures.
public struct ThreadScheduling: Hashable, Sendable {
    /// The kernel's scheduling policy.
    public enum Policy: Hashable, Sendable {
        /// `SCHED_OTHER`: an equal among equals, by their nice values.
        case normal
        /// `SCHED_BATCH`: as ``normal``, but it does not preempt others when it wakes up.
        case batch
        /// `SCHED_IDLE`: runs when hardly anybody else wants to.
        case idle
    }

    /// The scheduling policy. Default: ``Policy/normal``.
    public var policy: Policy

    /// What is added to the nice value of the process: −40…39. Default: 0. Below 0 needs privileges
    /// (CAP_SYS_NICE or RLIMIT_NICE). Ten more is about a tenth of the processor time while others want it
    /// too.
    public var niceIncrement: Int

    /// How long the thread may run before others of its kind get a turn: 0.1 to 100 ms. Default: 0.1 ms,
    /// which is sooner at the processor after a wake-up, not more of it. Nil leaves it to the kernel: about 3
    /// ms. Linux 6.12 and later; ignored before.
    public var slice: Duration?

    /// Describes a scheduling.
    public init(policy: Policy = .normal, niceIncrement: Int = 0, slice: Duration? = .microseconds(100)) {
        self.policy = policy
        self.niceIncrement = niceIncrement
        self.slice = slice
    }

    func validate() throws(PoolError) {
        guard (-40...39).contains(niceIncrement) else {
            throw PoolError(
                .invalidScheduling, "a nice increment is from -40 to 39; \(niceIncrement) was asked for")
        }
        if let slice, !(.microseconds(100) ... .milliseconds(100)).contains(slice) {
            throw PoolError(.invalidScheduling, "a slice is from 0.1 to 100 ms; \(slice) was asked for")
        }
    }
}

extension [QoSTier: ThreadScheduling] {
    /// The default: each tier below the one above it, all of them within what anybody may ask for.
    ///
    /// userInteractive has the main thread's nice value; the other tiers are shifted down from there. So
    /// draws have less claim to a processor than the thread that they are there to relieve, and no privilege
    /// is needed to tell tiers apart. Slices grow a little from tier to tier: a thread that wakes up
    /// interrupts one whose slice is longer.
    public static var separated: Self {
        [
            .userInteractive: ThreadScheduling(),
            .userInitiated: ThreadScheduling(niceIncrement: 2, slice: .microseconds(125)),
            .default: ThreadScheduling(niceIncrement: 8, slice: .microseconds(150)),
            .utility: ThreadScheduling(niceIncrement: 14, slice: .microseconds(175)),
            .background: ThreadScheduling(niceIncrement: 19, slice: .microseconds(200)),
        ]
    }

    /// All tiers alike: workers run as the process does, by no scheduling call.
    ///
    /// Exceptions: a thread that is scheduled in another way than the process's first one has made the first pool; or other
    /// pools' threads have a scheduling. Then the thread that makes threads is scheduled by a call.
    public static var inherited: Self { [:] }
}
