#if os(Linux)
    import CLinuxThreads
    import Synchronization
#endif

/// What a worker pool notes of each job beyond its statistics. It costs some 100 ns a job.
///
///     let observation = JobObservation(longJobLimit: .milliseconds(250)) { job in
///         log("\(job.queue): \(job.label ?? "a job") runs for \(job.age)")
///     }
///     let pool = try WorkerQueuePool(label: "tiles", workers: WorkerOptions(observation: observation))
///
/// With it, ``QueuePool/activity(of:)`` also returns how long jobs have waited and run.
public struct JobObservation: Sendable {
    /// Jobs that run for longer are reported, once each. At least 1 ms. Default: nil, none is reported.
    public var longJobLimit: Duration?

    /// Receives each job that runs for longer than the limit, at most half of the limit late, or as soon as
    /// the system has a thread for the call. Called on a thread of its own for each report: the job may have
    /// ended by then, and so may a shutdown.
    public var whenJobIsLong: @Sendable (LongJob) -> Void

    /// Is notified when a job begins and ends, for example a `TraceRecorder` of `AsyncLayers`. Default: nil.
    public var signposts: (any JobSignposts)?

    /// Describes an observation.
    public init(
        longJobLimit: Duration? = nil, signposts: (any JobSignposts)? = nil,
        whenJobIsLong: @escaping @Sendable (LongJob) -> Void = { _ in }
    ) {
        self.longJobLimit = longJobLimit
        self.signposts = signposts
        self.whenJobIsLong = whenJobIsLong
    }

    func validate() throws(PoolError) {
        guard let longJobLimit, longJobLimit < .milliseconds(1) else { return }
        throw PoolError(
            .invalidObservation, "a job is long after 1 ms or more; \(longJobLimit) was asked for")
    }
}

/// A job that runs for longer than ``JobObservation/longJobLimit``.
public struct LongJob: Hashable, Sendable {
    /// The label of its queue; of an unordered job, the name of its thread.
    public var queue: String
    /// What the job calls itself, see ``PoolJob/setLabel(_:)``.
    public var label: String?
    /// How long it has run.
    public var age: Duration
}

/// Marks jobs in a profiler's timeline. *Thread-safe*: called by the threads of jobs. Must not block.
public protocol JobSignposts: AnyObject, Sendable {
    /// Returns a number for the label of a queue, or of a tier for its unordered jobs. Called once for each.
    func track(labelled label: String) -> Int

    /// A job of a track begins on the calling thread. One that it runs by `sync` elsewhere ends before it.
    func begin(on track: Int)

    /// The job that began last on the calling thread, and has not ended, ends.
    func end(on track: Int)
}

/// What a queue does at a moment.
public struct QueueActivity: Hashable, Sendable {
    /// The queue's label; for unordered jobs `<pool>.<tier>`.
    public var label: String
    /// How many jobs wait.
    public var waiting = 0
    /// How long the job that has waited longest has waited; nil if none waits, or without ``JobObservation``.
    public var longestWait: Duration?
    /// What runs, and for how long: at most one job a queue, or a thread. Empty without ``JobObservation``.
    public var running: [RunningJob] = []

    /// A job that runs.
    public struct RunningJob: Hashable, Sendable {
        /// What the job calls itself, see ``PoolJob/setLabel(_:)``.
        public var label: String?
        /// How long it has run.
        public var age: Duration
    }
}

#if os(Linux)
    /// The job that a queue, or a thread of a lane, runs. Written by the job's thread.
    ///
    /// Readers look at `since` before and after `label`. Naming a job releases, and reading the name
    /// acquires: a reader of a later job's name also sees that `since` has changed.
    struct JobRecord: ~Copyable {
        private let since = Atomic<UInt64>(0)
        /// The address of a static string.
        private let label = Atomic<UInt>(0)

        func begin() {
            label.store(0, ordering: .relaxed)
            since.store(clinux_monotonic_nanoseconds(), ordering: .releasing)
        }

        func end() { since.store(0, ordering: .relaxed) }

        func set(_ name: StaticString) {
            guard name.hasPointerRepresentation else { return }
            label.store(UInt(bitPattern: name.utf8Start), ordering: .releasing)
        }

        /// The job that runs, and when it began.
        func read() -> (job: QueueActivity.RunningJob, since: UInt64)? {
            let since = since.load(ordering: .acquiring)
            let address = label.load(ordering: .acquiring)
            guard since != 0, self.since.load(ordering: .relaxed) == since else { return nil }
            let name = UnsafePointer<UInt8>(bitPattern: address).map { String(cString: $0) }
            let now = clinux_monotonic_nanoseconds()
            return (.init(label: name, age: .nanoseconds(now > since ? now - since : 0)), since)
        }
    }

    /// Notes the jobs of a queue or a lane as they begin and end.
    struct JobObserver {
        private let signposts: (any JobSignposts)?
        private let track: Int

        init(_ observation: JobObservation, label: String) {
            signposts = observation.signposts
            track = signposts?.track(labelled: label) ?? 0
        }

        func begin(_ record: UnsafeMutablePointer<JobRecord>) {
            record.pointee.begin()
            signposts?.begin(on: track)
        }

        func end(_ record: UnsafeMutablePointer<JobRecord>) {
            signposts?.end(on: track)
            record.pointee.end()
        }
    }

    extension PoolJob {
        /// Names the job that the calling thread runs, for ``QueuePool/activity(of:)`` and ``LongJob``. Does
        /// nothing elsewhere, and without ``JobObservation``.
        ///
        /// - Parameter label: in the source, so that it costs no memory: `PoolJob.setLabel("decode tile")`.
        public static func setLabel(_ label: StaticString) {
            if let queue = RunFrame.innermostQueue as? WorkerQueue {
                queue.group.record(ofQueue: queue.index)?.pointee.set(label)
            } else if let thread = WorkerThread.current {
                thread.group.record(ofThread: thread.index)?.pointee.set(label)
            }
        }
    }

    extension JobObservation {
        /// Reports jobs that run for too long, on the supervisor's thread, until the group is gone, which
        /// alone retains what is the program's.
        static func watch(_ group: WorkerGroup, by supervisor: Supervisor) {
            guard let longJobLimit = group.settings.observation?.longJobLimit else { return }
            let limit = UInt64(0).advanced(by: longJobLimit)
            /// - Parameter reported: when the reported jobs began, by the number of the record.
            @Sendable func look(at group: WorkerGroup?, reported: [Int: UInt64]) {
                guard let group, let whenJobIsLong = group.settings.observation?.whenJobIsLong else { return }
                var present: [Int: UInt64] = [:]
                for number in group.records.indices {
                    guard let (job, since) = group.records[number].read(), job.age >= .nanoseconds(limit)
                    else { continue }
                    present[number] = since
                    guard reported[number] != since else { continue }
                    let report = LongJob(
                        queue: group.label(ofRecord: number), label: job.label, age: job.age)
                    runElsewhere { whenJobIsLong(report) }
                }
                supervisor.perform(after: min(limit / 2, 1_000_000_000)) { [weak group, present] in
                    look(at: group, reported: present)
                }
            }
            look(at: group, reported: [:])
        }
    }

    extension QueuePool where Queue == WorkerQueue {
        /// What each queue of a tier does now, and last what its unordered jobs do. Empty if the tier is not
        /// used, or the program makes the queues. O(queues), plus the cancelled jobs whose turn has not come.
        public func activity(of qos: QoSTier) -> [QueueActivity] {
            let all = published[qos]?.takeUnretainedValue().allPartitions ?? []
            let partitions = all.compactMap { $0 as? WorkerPartition }
            guard !partitions.isEmpty else { return [] }
            var unordered = QueueActivity(label: "\(label).\(qos.name)")
            for partition in partitions { partition.group.addUnordered(to: &unordered) }
            return partitions.flatMap { partition in
                partition.queues.map { $0.takeUnretainedValue().activity }
            } + [unordered]
        }
    }

    extension WorkerQueue {
        /// What the queue does now.
        public var activity: QueueActivity {
            var statistics = TierStatistics()
            jobs.add(to: &statistics)
            return QueueActivity(
                label: label, waiting: statistics.waiting, longestWait: mailbox.longestWait,
                running: group.record(ofQueue: index)?.pointee.read().map { [$0.job] } ?? [])
        }
    }

    extension WorkerGroup {
        fileprivate func addUnordered(to activity: inout QueueActivity) {
            for lane in lanes.map({ $0.takeUnretainedValue() }) {
                var statistics = TierStatistics()
                lane.add(to: &statistics)
                activity.waiting += statistics.waiting
                if let wait = lane.mailbox.longestWait {
                    activity.longestWait = max(wait, activity.longestWait ?? wait)
                }
            }
            for thread in 0..<settings.limit {
                if let job = record(ofThread: thread)?.pointee.read()?.job { activity.running.append(job) }
            }
        }
    }

    extension Mailbox {
        /// How long the first job that waits has waited, if all messages are stamped. Any thread. The
        /// receiver may pass the slot meanwhile, so this looks at its state again after its time. If the slot
        /// is used again at that moment, the time is that of the next job.
        fileprivate var longestWait: Duration? {
            guard stampsAll else { return nil }
            var position = nextPosition
            let end = takenPositions
            while position < end {
                guard let slot = slot(of: position) else {
                    // All jobs of the segment are cancelled, or not even the first is published.
                    position = (position / MailboxPage.slotCount + 1) * MailboxPage.slotCount
                    continue
                }
                let state = slot.pointee.state.load(ordering: .acquiring)
                guard state.position == position, state.kind != .awaited else { return nil }
                position += 1
                guard state.kind != .skipped else { continue }
                let sentAt = slot.pointee.sentAt.load(ordering: .relaxed)
                guard slot.pointee.state.load(ordering: .relaxed).rawValue == state.rawValue else {
                    return nil
                }
                let now = clinux_monotonic_nanoseconds()
                return .nanoseconds(now > sentAt ? now - sentAt : 0)
            }
            return nil
        }
    }
#endif
