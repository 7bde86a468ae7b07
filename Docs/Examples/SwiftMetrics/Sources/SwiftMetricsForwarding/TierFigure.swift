import QueuePools

/// A figure of a tier that is forwarded.
struct TierFigure<Value>: Sendable {
    let name: String
    let help: String
    let value: @Sendable (TierStatistics) -> Value

    private init(_ name: String, _ help: String, _ value: @escaping @Sendable (TierStatistics) -> Value) {
        (self.name, self.help, self.value) = (name, help, value)
    }
}

extension TierFigure<Int> {
    static let counters = [
        Self("jobs_submitted", "Jobs that were not refused.") { $0.submitted },
        Self("jobs_refused", "Jobs that were refused in the call.") { $0.refused },
        Self("jobs_finished", "Jobs that ran to their end.") { $0.finished },
        Self("jobs_cancelled", "Jobs cancelled before they began.") { $0.cancelled },
        Self("jobs_expired", "Jobs that had not begun at their deadline.") { $0.expired },
        Self("jobs_moved_in", "Jobs that came from a lower tier.") { $0.movedIn },
        Self("jobs_moved_out", "Jobs that left for a higher tier.") { $0.movedOut },
        Self("thread_failures", "Threads that the system refused.") { $0.threadFailures },
        Self("scheduling_failures", "Requests that the kernel refused.") {
            $0.schedulingFailures
        },
    ]

    static let gauges = [
        Self("jobs_waiting_for_room", "Jobs that wait until the tier has room.") { $0.waitingForRoom },
        Self("jobs_delayed", "Jobs accepted whose time has not come.") { $0.delayed },
        Self("jobs_waiting", "Other jobs accepted that have not begun.") { $0.waiting },
        Self("jobs_running", "Jobs running now.") { $0.running },
        Self("threads", "Threads that serve the tier.") { $0.threads },
    ]
}

extension TierFigure<Int?> {
    /// Not there if any number of jobs may wait.
    static let capacity = Self("capacity", "How many jobs may wait.") { $0.capacity }

    /// Not there if no job waits in a queue.
    static let fullestQueue = Self(
        "fullest_queue_jobs_waiting", "Jobs that wait in the queue in which most wait."
    ) { $0.fullestQueue?.waiting }
}

extension TierFigure<Duration?> {
    /// Not there without a `JobObservation`, if jobs wait or run.
    static let ages = [
        Self("longest_wait", "The longest time that a waiting job has waited.") {
            $0.waiting == 0 ? .zero : $0.longestWait
        },
        Self("longest_run", "The longest time that a running job has run.") {
            $0.running == 0 ? .zero : $0.longestRun
        },
    ]
}

extension TierFigure<TimeSummary> {
    static let times = [
        Self("wait", "From the call to the beginning, of a sample of the jobs.") { $0.waitTimes },
        Self("run", "From the beginning to the end, of a sample of the jobs.") { $0.runTimes },
    ]
}
