#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization
#endif

/// The observation of a worker pool's jobs, beyond its statistics. It costs some 100 ns a job.
///
///     let observation = JobObservation(longJobLimit: .milliseconds(250)) { job in
///         log("\(job)")  // "tiles.utility.0: resize for 250 ms"
///     }
///     let pool = try WorkerQueuePool(label: "tiles", workers: WorkerOptions(observation: observation))
///
/// With it, ``QueuePool/activity(of:)`` and ``QueuePool/statistics`` also tell how long the jobs that wait
/// have waited, and those that run have run.
public struct JobObservation: Sendable {
    /// Jobs that run for longer are reported, once each: at the next look, at most half of the limit later,
    /// unless they have ended by then. At least 1 ms. Default: nil, none is reported.
    public var longJobLimit: Duration?

    /// Receives each job that is reported. Called on a thread of its own for each report, when the system has
    /// one: the job may have ended by then, and so may a shutdown. Default: does nothing.
    public var onLongJob: @Sendable (RunningJob) -> Void

    /// Is notified when a job begins, is labelled, and ends: for example a ``TraceRecorder``.
    /// Default: nil.
    public var signposts: (any JobSignposts)?

    /// Describes an observation.
    public init(
        longJobLimit: Duration? = nil, signposts: (any JobSignposts)? = nil,
        onLongJob: @escaping @Sendable (RunningJob) -> Void = { _ in }
    ) {
        self.longJobLimit = longJobLimit
        self.signposts = signposts
        self.onLongJob = onLongJob
    }

    func validate() throws(PoolError) {
        guard let longJobLimit, longJobLimit < .milliseconds(1) else { return }
        throw PoolError(
            .invalidObservation, "a job is long after 1 ms or more; \(longJobLimit.text) was asked for")
    }
}

/// A job that runs.
public struct RunningJob: Equatable, Codable, Sendable, CustomStringConvertible {
    /// The label of its queue; of an unordered job, the label of its thread.
    public var queue: String
    /// The label that it was submitted with. Nil without one, and in the moment between the job's beginning
    /// and that of its closure.
    public var label: String?
    /// How long it has run.
    public var age: Duration

    /// A job of a queue.
    public init(queue: String, label: String? = nil, age: Duration) {
        self.queue = queue
        self.label = label
        self.age = age
    }

    /// A text for people, for example "tiles.utility.0: resize for 250 ms"; its form may change.
    public var description: String { "\(queue): \(label ?? "a job") for \(age.text)" }
}

/// Marks jobs in a profiler's timeline. *Thread-safe*: called by the threads of jobs. Must not block.
public protocol JobSignposts: AnyObject, Sendable {
    /// Returns a number for the label of a queue, or of a tier for its unordered jobs. May be called several
    /// times with one label, for pools or nodes that have it in common. Called under a lock: must not use the
    /// pool.
    func track(labelled label: String) -> Int

    /// A job of a track begins on the calling thread. One that it runs by `sync` elsewhere ends before it.
    ///
    /// - Parameters:
    ///   - track: the number of its queue or tier.
    ///   - waited: how long it has waited since it was submitted, also for room. Nil for calls
    ///     of `sync`, delayed jobs of queues, and steps that a thread of the tier has kept for itself.
    func begin(on track: Int, waited: Duration?)

    /// The job that began last on the calling thread, and has not ended, has a label.
    func label(_ label: String)

    /// The job that began last on the calling thread, and has not ended, ends.
    func end(on track: Int)
}

/// The activity of a queue at a moment.
public struct QueueActivity: Equatable, Codable, Sendable, CustomStringConvertible {
    /// The queue's label; for unordered jobs `<pool>.<tier>`.
    public var label: String
    /// How many jobs wait, without those whose time has not come.
    public var waiting = 0
    /// How long the job that has waited longest has waited; nil if none waits, or without ``JobObservation``.
    public var longestWait: Duration?
    /// The running jobs: at most one of a queue, or of a thread. Empty without ``JobObservation``.
    public var running: [RunningJob] = []

    /// Describes a queue's activity.
    public init(
        label: String, waiting: Int = 0, longestWait: Duration? = nil, running: [RunningJob] = []
    ) {
        self.label = label
        self.waiting = waiting
        self.longestWait = longestWait
        self.running = running
    }

    /// A text for people, for example "tiles.utility.0: waiting 3, for 1.5 s"; its form may change.
    public var description: String {
        let wait = longestWait.map { ", for \($0.text)" } ?? ""
        let jobs = running.map { "\($0.label ?? "a job") for \($0.age.text)" }.joined(separator: ", ")
        return "\(label): waiting \(waiting)\(wait)\(jobs.isEmpty ? "" : "; running \(jobs)")"
    }
}

#if os(Linux)
    /// The job that a queue, or a thread of a lane, runs. Written by the job's thread.
    ///
    /// A job is known by the time at which it began, and a label is that of the job whose time is stored with
    /// it. The time publishes nothing: beginning and reading are sequentially consistent for a ``Watch``.
    struct JobRecord: ~Copyable {
        private let since = Atomic<UInt64>(0)
        private let label = Lock<(since: UInt64, text: String)?>(nil)

        /// Returns the time.
        func begin() -> UInt64 {
            let now = cqp_monotonic_nanoseconds()
            since.store(now, ordering: .sequentiallyConsistent)
            return now
        }

        func end() { since.store(0, ordering: .relaxed) }

        func set(_ text: String) {
            let since = since.load(ordering: .relaxed)
            label.withLock { $0 = (since, text) }
        }

        /// The job of a queue or thread that runs, and when it began.
        func read(of queue: @autoclosure () -> String) -> (job: RunningJob, since: UInt64)? {
            let since = since.load(ordering: .sequentiallyConsistent)
            guard since != 0 else { return nil }
            let text = label.withLock { $0.flatMap { $0.since == since ? $0.text : nil } }
            let now = cqp_monotonic_nanoseconds()
            let age = Duration.nanoseconds(now > since ? now - since : 0)
            return (RunningJob(queue: queue(), label: text, age: age), since)
        }
    }

    /// Notes the jobs of a queue or a lane as they begin and end.
    struct JobObserver {
        private let signposts: (any JobSignposts)?
        private let track: Int
        /// The group whose long jobs are reported. It exists while a job of it begins.
        private let watched: Unmanaged<WorkerGroup>?

        init(_ observation: JobObservation, label: String, in group: WorkerGroup) {
            signposts = observation.signposts
            track = signposts?.track(labelled: label) ?? 0
            watched = observation.longJobLimit == nil ? nil : .passUnretained(group)
        }

        /// Returns the time.
        func begin(_ record: UnsafeMutablePointer<JobRecord>, sentAt: UInt64?) -> UInt64 {
            let now = record.pointee.begin()
            watched?._withUnsafeGuaranteedRef { $0.watchJobs() }
            signposts?.begin(on: track, waited: sentAt.map { .nanoseconds(Int64(now > $0 ? now - $0 : 0)) })
            return now
        }

        func end(_ record: UnsafeMutablePointer<JobRecord>) {
            signposts?.end(on: track)
            record.pointee.end()
        }
    }

    /// Reports of jobs that run for too long.
    ///
    /// The supervisor looks at the group's records when the first of them may be due, but not earlier than
    /// after half of the limit, or a second. It stops when each job that runs has been reported, and
    /// continues with the next job that begins (``Watch``). So it does nothing while no job runs.
    extension WorkerGroup {
        private func runningJob(_ number: Int) -> (job: RunningJob, since: UInt64)? {
            records[number].read(of: label(ofRecord: number))
        }

        /// The jobs of some records that run. None if jobs are not observed.
        func runningJobs(_ numbers: Range<Int>) -> [RunningJob] {
            records.isEmpty ? [] : numbers.compactMap { runningJob($0)?.job }
        }

        /// Labels the job of a queue that the calling thread runs, or of the thread itself, if jobs are
        /// observed.
        func setLabel(_ label: String, in record: UnsafeMutablePointer<JobRecord>?) {
            guard let observation = settings.observation, let record else { return }
            record.pointee.set(label)
            observation.signposts?.label(label)
        }

        /// All jobs that run, with the numbers of their records, and when they began.
        private var allRunningJobs: [(number: Int, job: RunningJob, since: UInt64)] {
            usedRecords.compactMap { number in
                runningJob(number).map { (number, $0.job, $0.since) }
            } + madeQueues.runningJobs
        }

        private func label(ofRecord number: Int) -> String {
            number < labels.count ? labels[number] : settings.threadLabel(number - labels.count)
        }

        /// Ensures that the supervisor looks at a job that has just begun when it may be long.
        @inline(__always)
        fileprivate func watchJobs() { if longJobs.begins() { beginWatchingJobs() } }

        @inline(never)
        private func beginWatchingJobs() {
            guard let limit = longJobLimit else { return }
            let supervisor = Supervisor.required()
            supervisor.perform { [weak self] in self?.lookForLongJobs(after: limit, by: supervisor) }
        }

        private var longJobLimit: UInt64? {
            settings.observation?.longJobLimit.map { min(UInt64(0).advanced(by: $0), .max / 2) }
        }

        /// Called on the supervisor's thread. The group alone retains the program's closures, and may end
        /// meanwhile: the supervisor keeps the request for a second at most.
        private func lookForLongJobs(after delay: UInt64, by supervisor: Supervisor) {
            supervisor.perform(after: min(delay, 1_000_000_000)) { [weak self] in
                guard let self, let limit = longJobLimit else { return }
                if let next = reportLongJobs(limit: limit) {
                    return lookForLongJobs(after: max(next, limit / 2), by: supervisor)
                }
                let reported = reportedJobs
                let hasEnded = longJobs.ends { allRunningJobs.contains { $0.since != reported[$0.number] } }
                if !hasEnded { lookForLongJobs(after: limit, by: supervisor) }
            }
        }

        /// Returns when the next job will be long, from now on; nil if each that runs has been reported.
        private func reportLongJobs(limit: UInt64) -> UInt64? {
            guard let onLongJob = settings.observation?.onLongJob else { return nil }
            let now = cqp_monotonic_nanoseconds()
            var (next, reported) = (UInt64?.none, [Int: UInt64]())
            for (number, job, since) in allRunningJobs {
                guard reportedJobs[number] == since || since + limit <= now else {
                    next = min(next ?? .max, since + limit - now)
                    continue
                }
                reported[number] = since
                guard reportedJobs[number] != since else { continue }
                runElsewhere { onLongJob(job) }
            }
            reportedJobs = reported
            return next
        }
    }

    extension QueuePool where Queue == WorkerQueue {
        /// The activity of each queue of a tier, of those of ``makeQueue(label:qos:)`` in which jobs wait or
        /// run, and last of its unordered jobs. Empty if the tier is not used. O(queues), plus cancelled jobs
        /// whose turn has not come.
        public func activity(of qos: QoSTier) -> [QueueActivity] {
            let all = published[qos]?.takeUnretainedValue().allPartitions ?? []
            let partitions = all.compactMap { $0 as? WorkerPartition }
            guard !partitions.isEmpty else { return [] }
            var unordered = QueueActivity(label: "\(label).\(qos.name)")
            for partition in partitions { partition.group.addUnordered(to: &unordered) }
            return partitions.flatMap { partition in
                partition.queues.map { $0.takeUnretainedValue().activity }
                    + partition.group.madeQueues.queues.map(\.activity).filter {
                        $0.waiting > 0 || !$0.running.isEmpty
                    }
            } + [unordered]
        }
    }

    extension WorkerQueue {
        /// The queue's present activity.
        public var activity: QueueActivity { core.activity }
    }

    extension EngineQueue {
        fileprivate var activity: QueueActivity {
            var statistics = TierStatistics()
            addCounts(to: &statistics)
            return activity(waiting: statistics.waiting, longestWait: longestWait)
        }

        private func activity(waiting: Int, longestWait: Duration?) -> QueueActivity {
            QueueActivity(
                label: label, waiting: waiting, longestWait: longestWait,
                running: [record?.pointee.read(of: label)?.job].compactMap(\.self))
        }

        /// Adds the queue's figures to its tier's.
        func add(to statistics: inout TierStatistics) {
            let others = statistics.waiting
            addCounts(to: &statistics)
            let (waiting, longestWait) = (statistics.waiting - others, longestWait)
            statistics.longestWait = longer(longestWait, statistics.longestWait)
            statistics.compareQueue(waiting: waiting, activity(waiting: waiting, longestWait: longestWait))
        }
    }

    extension MadeQueues {
        /// The running jobs, with numbers that no other records have, and when they began.
        var runningJobs: [(number: Int, job: RunningJob, since: UInt64)] {
            reduce(into: []) { jobs, queue in
                guard let (job, since) = queue.record?.pointee.read(of: queue.label) else { return }
                jobs.append((Int(bitPattern: queue.record), job, since))
            }
        }
    }

    func longer(_ one: Duration?, _ other: Duration?) -> Duration? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    extension WorkerGroup {
        /// Adds the figures of the unordered jobs to a tier's.
        func addLanes(to statistics: inout TierStatistics) {
            for lane in lanes.map({ $0.takeUnretainedValue() }) {
                lane.add(to: &statistics)
                statistics.longestWait = longer(lane.mailbox.longestWait, statistics.longestWait)
            }
        }

        fileprivate func addUnordered(to activity: inout QueueActivity) {
            var statistics = TierStatistics()
            addLanes(to: &statistics)
            activity.waiting += statistics.waiting
            activity.longestWait = longer(statistics.longestWait, activity.longestWait)
            activity.running += runningJobs(labels.count..<labels.count + parking.usedSlots.upperBound)
        }
    }

    extension Mailbox {
        /// How long the first job that waits has waited, if all messages are stamped. Any thread. The
        /// receiver may pass the slot meanwhile, so this looks at its state again after its time. If the slot
        /// is used again at that moment, the time is that of the next job.
        var longestWait: Duration? {
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
                let now = cqp_monotonic_nanoseconds()
                return .nanoseconds(now > sentAt ? now - sentAt : 0)
            }
            return nil
        }
    }
#endif
