#if os(Linux)
    import CLinuxThreads
    import Dispatch
    import Synchronization

    /// What is known of the job that a queue, or a thread of a lane, runs. Written by the job's thread.
    ///
    /// Readers look at `since` before and after `label`. Naming a job releases, and reading the name acquires: a reader of a later
    /// job's name also sees that `since` has changed.
    struct JobRecord: ~Copyable {
        private let since = Atomic<UInt64>(0)
        /// The address of a static string.
        private let label = Atomic<UInt>(0)

        func begin() {
            label.store(0, ordering: .relaxed)
            since.store(clinux_monotonic_nanoseconds(), ordering: .releasing)
        }

        func end() { since.store(0, ordering: .releasing) }

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
        /// Names the job that the calling thread runs, for ``QueuePool/activity(of:)`` and ``LongJob``. Does nothing elsewhere, and
        /// without ``JobObservation``.
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

    /// Reports jobs that run for too long, on the supervisor's thread, until the group is gone.
    final class LongJobWatch: Sendable {
        private let observation: JobObservation
        private let limit: UInt64

        init?(_ observation: JobObservation) {
            guard let limit = observation.longJobLimit else { return nil }
            self.observation = observation
            self.limit = UInt64(0).advanced(by: limit)
        }

        func begin(_ group: WorkerGroup) {
            let supervisor = Supervisor.required()
            supervisor.perform { [weak group] in self.look(at: group, by: supervisor, reported: [:]) }
        }

        /// - Parameter reported: when the jobs began that have been reported, by the number of the record.
        private func look(at group: WorkerGroup?, by supervisor: Supervisor, reported: [Int: UInt64]) {
            guard let group else { return }
            var present: [Int: UInt64] = [:]
            for number in group.records.indices {
                guard let (job, since) = group.records[number].read(), job.age >= .nanoseconds(limit) else {
                    continue
                }
                present[number] = since
                guard reported[number] != since else { continue }
                let report = LongJob(queue: group.label(ofRecord: number), label: job.label, age: job.age)
                DispatchQueue.elsewhere.async { [observation] in observation.whenJobIsLong(report) }
            }
            supervisor.perform(after: min(limit / 2, 1_000_000_000)) { [weak group, present] in
                self.look(at: group, by: supervisor, reported: present)
            }
        }
    }

    extension QueuePool where Queue == WorkerQueue {
        /// What each queue of a tier does now, and last what its unordered jobs do. Empty for a tier that was not used, and for
        /// pools whose queues the program makes.
        ///
        /// O(queues), plus the jobs that were cancelled and whose turn has not come. Does not slow submitters.
        public func activity(of qos: QoSTier) -> [QueueActivity] {
            let parts = published[qos]?._withUnsafeGuaranteedRef { tier in
                tier.partitions.map { $0.takeUnretainedValue() }
            }
            let partitions = (parts ?? []).compactMap { $0 as? WorkerPartition }
            guard !partitions.isEmpty else { return [] }
            var unordered = QueueActivity(label: "\(label).\(qos.name)")
            for partition in partitions { partition.group.addUnordered(to: &unordered) }
            return partitions.flatMap { partition in
                partition.queues.map { $0.takeUnretainedValue().queue.activity }
            } + [unordered]
        }
    }

    extension WorkerQueue {
        /// What the queue does now.
        public var activity: QueueActivity {
            var statistics = TierStatistics()
            counters.add(to: &statistics, positions: mailbox.takenPositions)
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
        /// How long the first job that waits has waited, if all messages are stamped. Any thread.
        ///
        /// It reads what the receiver may pass meanwhile: so it looks at a slot's state again after its time. If the slot is
        /// used again in just that moment, the time is that of the next job.
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
                guard !state.isEmpty, state.position == position, state.kind != .awaited else { return nil }
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
