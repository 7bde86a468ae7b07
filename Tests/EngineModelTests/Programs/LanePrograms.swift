#if os(Linux)
    import MemoryModel

    extension ModelProgram {
        /// Unordered jobs, and the closing of queues and lanes.
        static let lanes: [ModelProgram] = [
            ModelProgram("two take from a lane", preemptions: 2) { execution in
                let stage = EngineStage(execution) { ($0.threads, $0.hasLanes) = (2, true) }
                stage.addThread(0)
                stage.addThread(1)
                stage.submit(1)
                stage.submit(2)
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a lane is closed", preemptions: 2) { execution in
                let stage = EngineStage(execution) { ($0.threads, $0.hasLanes) = (2, true) }
                stage.addThread(0)
                stage.addThread(1)
                stage.submit(1)
                stage.close(intake: stage.lane, stage.job(2))
                execution.check {
                    stage.ran == [1, 2] ? nil : "ran \(stage.ran)"
                }
            },
            ModelProgram("a late job is counted", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.hasLanes = true }
                stage.addThread()
                stage.submit(1)
                stage.close(intake: stage.lane, stage.job(2))
                execution.settle()
                stage.thread("sender") { stage.partition.submit(release: stage.job(3)) }
                stage.thread("reader") {
                    let problem = stage.statistics.problem
                    if let problem { stage.fail(problem) }
                }
                execution.check { stage.problem([1, 2, 3]) }
            },
            ModelProgram("jobs are counted", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                stage.addThread()
                stage.send(1)
                stage.thread("reader") {
                    let problem = stage.statistics.problem
                    if let problem { stage.fail(problem) }
                }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("a delayed job comes while its queue is closed", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                nonisolated(unsafe) var job: PoolJob?
                stage.addThread()
                execution.settle()
                stage.thread("submitter") {
                    job = try? stage.queue().async(after: .seconds(Int64.max), stage.job(1))
                }
                stage.thread("closer") { stage.close(intake: 0, stage.job(2)) }
                execution.check {
                    stage.problem([2])
                        ?? (job?.cancel() == true
                            ? "a job is accepted that the closing does not cancel" : nil)
                }
            },
            ModelProgram("a delayed job is due", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                let cell = Cell()
                stage.addThread()
                execution.settle()
                stage.thread("submitter") {
                    cell.write()
                    _ = try? stage.queue().async(after: .milliseconds(1), stage.job(1) { cell.read() })
                }
                stage.thread("sender") {
                    stage.pause(milliseconds: 1)
                    stage.send(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a delayed job is cancelled when it is due", preemptions: 2) { execution in
                let stage = EngineStage(execution)
                nonisolated(unsafe) var wasCancelled = false  // one thread of the execution runs at a time
                stage.addThread()
                execution.settle()
                stage.thread("submitter") {
                    let job = try? stage.queue().async(after: .milliseconds(1), stage.job(1))
                    stage.pause(milliseconds: 1)
                    wasCancelled = job?.cancel() == true
                }
                execution.check { stage.problem(wasCancelled ? [] : [1]) }
            },
            ModelProgram("the longest wait is read", preemptions: 2) { execution in
                let stage = EngineStage(execution) {
                    ($0.slots, $0.observation) = (1, JobObservation())
                }
                stage.addThread()
                stage.thread("sender") {
                    let now = execution.explorer.now
                    _ = stage.queue().core.submit(stage.job(1), since: now - 10)
                    _ = stage.queue().core.submit(stage.job(2), since: now - 5)
                }
                stage.thread("reader") {
                    let wait = stage.queue().activity.longestWait
                    if let wait, ![.nanoseconds(10), .nanoseconds(5)].contains(wait) {
                        stage.fail("a job has waited for \(wait)")
                    }
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a job of a full tier is cancelled", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.capacity = 1 }
                nonisolated(unsafe) var wasCancelled = false  // one thread of the execution runs at a time
                stage.addThread()
                let job = try? stage.queue().async(stage.job(1))
                stage.thread("canceller") { wasCancelled = job?.cancel() ?? false }
                execution.check {
                    stage.problem(wasCancelled ? [] : [1])
                        ?? stage.group.accounting?.capacity?.problem(free: 1)
                }
            },
        ]
    }

    extension TierStatistics {
        /// Describes figures that contradict each other; nil if none do.
        fileprivate var problem: String? {
            finished + cancelled + running + waiting == submitted
                ? nil : "\(submitted) submitted, \(waiting) wait, \(running) run, \(finished) finished"
        }
    }
#endif
