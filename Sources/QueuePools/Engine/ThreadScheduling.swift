#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// How the kernel schedules a worker's thread, among threads of this and other programs. Set once, when
    /// it starts. Values that lower its priority need no privileges; `Docs/Platforms.md` has the figures.
    public struct ThreadScheduling: Equatable, Sendable {
        /// The kernel's scheduling policy.
        public enum Policy: Hashable, Sendable {
            /// `SCHED_OTHER`: the default, in which nice values decide.
            case normal
            /// `SCHED_BATCH`: as ``normal``, but it does not preempt others when it wakes up.
            case batch
            /// `SCHED_IDLE`: runs when the processor is otherwise nearly idle.
            case idle
        }

        /// The scheduling policy. Default: ``Policy/normal``.
        public var policy: Policy

        /// The number that is added to the process's nice value: −40…39. Default: 0. Below 0 needs privileges
        /// (CAP_SYS_NICE or RLIMIT_NICE). Ten more is about a tenth of the processor time under load.
        public var niceIncrement: Int

        /// How long the thread may run before others of its kind get a turn: 0.1 to 100 ms. Default: 0.1 ms,
        /// which gets it to the processor sooner after a wake-up, and gives it no more of it. Nil leaves it
        /// to the kernel: about 3 ms. Linux 6.12 and later; ignored before.
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
                throw PoolError(
                    .invalidScheduling, "a slice is from 0.1 to 100 ms; \(slice.text) was asked for")
            }
        }
    }

    extension ThreadScheduling: CustomStringConvertible {
        /// A text for people, for example "normal, nice +8, slice 150 µs"; its form may change.
        public var description: String {
            let slice = slice.map { ", slice \($0.text)" } ?? ""
            return "\(policy), nice \(niceIncrement < 0 ? "" : "+")\(niceIncrement)\(slice)"
        }
    }

    /// How the threads of each tier are scheduled.
    ///
    ///     var scheduling = TierScheduling.separated
    ///     scheduling[.background] = ThreadScheduling(policy: .idle)
    ///     let pool = try WorkerQueuePool(label: "p", workers: WorkerOptions(scheduling: scheduling))
    ///
    /// Pools throw ``PoolError`` (`.invalidScheduling`) if a value is impossible. O(1) to read and change.
    public struct TierScheduling: Equatable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible
    {
        private var tiers: [QoSTier: ThreadScheduling]

        /// The default: each tier below the one above it, without privileges.
        ///
        /// userInteractive has the main thread's nice value; the other tiers have higher ones. So draws have
        /// a lower priority than the thread that they relieve, and tiers differ without privileges. Slices
        /// grow a little from tier to tier: a thread that wakes up interrupts one whose slice is longer.
        public static let separated: Self = [
            .userInteractive: ThreadScheduling(),
            .userInitiated: ThreadScheduling(niceIncrement: 2, slice: .microseconds(125)),
            .default: ThreadScheduling(niceIncrement: 8, slice: .microseconds(150)),
            .utility: ThreadScheduling(niceIncrement: 14, slice: .microseconds(175)),
            .background: ThreadScheduling(niceIncrement: 19, slice: .microseconds(200)),
        ]

        /// All tiers alike: workers run as the process does, without a scheduling call.
        ///
        /// The thread that makes threads makes such a call for itself only if the maker of the first pool was
        /// scheduled differently from the process's first thread, or other pools' threads have a scheduling.
        public static let inherited: Self = [:]

        /// The scheduling of some tiers; the others run as the process does. Traps if a tier appears twice.
        public init(dictionaryLiteral elements: (QoSTier, ThreadScheduling)...) {
            tiers = Dictionary(uniqueKeysWithValues: elements)
        }

        /// How the threads of a tier are scheduled, or nil if they run as the process does.
        public subscript(tier: QoSTier) -> ThreadScheduling? {
            get { tiers[tier] }
            set { tiers[tier] = newValue }
        }

        /// A text for people, for example "utility: normal, nice +14"; its form may change.
        public var description: String {
            let parts = QoSTier.allCases.reversed().compactMap { tier in
                self[tier].map { "\(tier): \($0)" }
            }
            return parts.isEmpty ? "inherited" : parts.joined(separator: "; ")
        }

        func validate() throws(PoolError) {
            for scheduling in tiers.values { try scheduling.validate() }
        }
    }

    extension ThreadScheduling {
        /// Schedules the calling thread this way.
        ///
        /// For a main thread: `ThreadScheduling().applyToCurrentThread()` leaves its priority and gives it a
        /// slice as short as a worker's. With Linux's default slice it waits some 4 ms, until the next tick,
        /// when it wakes up on a processor where a worker draws. In return, a worker that it wakes does not
        /// interrupt it: without another processor, the job begins when this thread sleeps, or up to a tick
        /// later.
        ///
        /// - Returns: false if the values are impossible, or the kernel refuses a part; the rest is done.
        @discardableResult
        public func applyToCurrentThread() -> Bool {
            guard (try? validate()) != nil else { return false }
            let base = Self.niceOfProcess(whoseFirstThreadHas: cqp_process_nice())
            let nice = min(19, max(-20, base + Int32(niceIncrement)))
            let isFirst = cqp_is_first_thread()
            // Also before the call: a thread that reads the value after the call must know its meaning.
            if isFirst { Self.noteFirstThread(before: base, after: nice) }
            let isComplete = Self.set(
                cqp_scheduling(
                    policy: kernelPolicy, nice: nice,
                    slice_nanoseconds: slice.map { UInt64($0.components.attoseconds / 1_000_000_000) } ?? 0))
            if isFirst, !isComplete { Self.noteFirstThread(before: base, after: cqp_process_nice()) }
            return isComplete
        }

        /// Two nice values of the first thread, in one word, so that other threads read both together: in the
        /// upper half that before the last call of ``applyToCurrentThread()``, which is the process's; in the
        /// lower half that after it.
        private static let firstThread = Atomic<Int64>(0)

        private static func noteFirstThread(before: Int32, after: Int32) {
            firstThread.store(Int64(before) << 32 | Int64(UInt32(bitPattern: after)), ordering: .relaxed)
        }

        /// The process's nice value: the first thread's, without the increment of ``applyToCurrentThread()``.
        /// If the first thread has another value than that function set, the program has changed it, and
        /// nothing was added.
        private static func niceOfProcess(whoseFirstThreadHas nice: Int32) -> Int32 {
            let known = firstThread.load(ordering: .relaxed)
            return nice == Int32(truncatingIfNeeded: known) ? Int32(known >> 32) : nice
        }

        /// Schedules the calling thread as the process's first, with or without the increment of
        /// ``applyToCurrentThread()``, unless it is so already. Returns false if the kernel refuses some.
        static func takeSchedulingOfProcess() -> Bool {
            guard let process = schedulingOfProcessUnlessCurrent else { return true }
            return set(process)
        }

        /// The process's scheduling; nil if the calling thread has it, or the kernel reports none.
        static var schedulingOfProcessUnlessCurrent: cqp_scheduling? {
            guard let own = ofThread(0), var process = ofThread(cqp_first_thread()) else { return nil }
            let base = niceOfProcess(whoseFirstThreadHas: process.nice)
            process.nice = min(max(own.nice, min(base, process.nice)), max(base, process.nice))
            let isAlike =
                (own.policy, own.nice, own.slice_nanoseconds)
                == (process.policy, process.nice, process.slice_nanoseconds)
            return isAlike ? nil : process
        }

        /// Returns false if the kernel refuses some of it, such as a better nice value, and the rest is done.
        private static func set(_ wanted: cqp_scheduling) -> Bool {
            var wanted = wanted
            if cqp_thread_set_scheduling(&wanted) == 0 { return true }
            if let present = ofThread(0) {
                wanted.nice = max(wanted.nice, present.nice)
                _ = cqp_thread_set_scheduling(&wanted)
            }
            return false
        }

        /// A thread's scheduling, or nil if the kernel reports none.
        private static func ofThread(_ thread: Int32) -> cqp_scheduling? {
            var scheduling = cqp_scheduling()
            return cqp_thread_get_scheduling(thread, &scheduling) == 0 ? scheduling : nil
        }

        /// Whether the calling thread's slice is so short that a yield costs little. False before Linux 6.12.
        static var isCurrentSliceShort: Bool {
            guard let own = ofThread(0) else { return false }
            return (1...200_000).contains(own.slice_nanoseconds)
        }

        private var kernelPolicy: UInt32 {
            switch policy {
            case .normal: cqp_policy_normal
            case .batch: cqp_policy_batch
            case .idle: cqp_policy_idle
            }
        }
    }
#endif
