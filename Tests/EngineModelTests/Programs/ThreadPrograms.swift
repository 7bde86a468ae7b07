#if os(Linux)
    import MemoryModel

    /// Queues and lanes with threads of the engine, which have been made before the program begins.
    final class ThreadStage: @unchecked Sendable {  // by turns
        let group: WorkerGroup
        let queues: [WorkerQueue]
        private(set) var ran: [Int] = []

        /// - Parameter yields: how often a thread looks before it parks.
        init(
            threadCount: Int, queueCount: Int = 1, hasLanes: Bool = false, yields: Int = 0,
            keepsLast: Bool = false
        ) {
            (MailboxSizes.page, MailboxSizes.table) = (128, 1)
            var settings = ThreadSettings(label: "model", limit: threadCount, keepsLast: keepsLast)
            settings.threads.idleLifetime = .seconds(Int64.max)
            settings.threads.yieldsBeforeParking = yields
            settings.scheduling = yields > 0 ? ThreadScheduling() : nil
            group = WorkerGroup(
                settings: settings, labels: (0..<queueCount).map { "\($0)" },
                accounting: hasLanes ? TierAccounting(.utility) : nil)
            queues = (0..<queueCount).map { [group] in WorkerQueue(group: group, index: $0) }
            _ = group.firstThread.claim()
        }

        /// Begins with a thread that is awake, and has looked at nothing yet.
        func addThread(_ index: Int) {
            _ = group.parking.claim(index)
            _ = group.parking.occupy(index)
            group.unended.pointee.wrappingAdd(1, ordering: .relaxed)
            _ = WorkerThread(group: group, index: index).start()
        }

        func send(_ job: Int, to queue: Int = 0) {
            queues[queue].enqueue { [self] in ran.append(job) }
        }

        func submit(_ job: Int) {
            let lane = group.lanes[0].takeUnretainedValue()
            _ = lane.submit { [self] in ran.append(job) }
            group.wakeIfNeeded()
        }

        func problem(_ jobs: [Int]) -> String? { ran.sorted() == jobs ? nil : "ran \(ran)" }
    }

    extension ModelProgram {
        static let threads: [ModelProgram] = [
            ModelProgram("one parks") { execution in
                let stage = ThreadStage(threadCount: 1)
                stage.addThread(0)
                execution.thread("sender") { stage.send(1) }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("one parks beside a lane", preemptions: 2) { execution in
                let stage = ThreadStage(threadCount: 1, hasLanes: true)
                stage.addThread(0)
                execution.thread("sender") { stage.submit(1) }
                execution.check { stage.problem([1]) }
            },
            ModelProgram("one looks", preemptions: 2) { execution in
                let stage = ThreadStage(threadCount: 1, yields: 1)
                stage.addThread(0)
                execution.thread("sender") {
                    stage.send(1)
                    stage.send(2)
                }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("two call sync", preemptions: 3) { execution in
                let stage = ThreadStage(threadCount: 1)
                stage.addThread(0)
                var sum = 0
                execution.thread("caller 1") { try? stage.queues[0].sync { sum += 1 } }
                execution.thread("caller 2") { try? stage.queues[0].sync { sum += 1 } }
                execution.check { sum == 2 ? nil : "called \(sum)" }
            },
        ]
    }
#endif
