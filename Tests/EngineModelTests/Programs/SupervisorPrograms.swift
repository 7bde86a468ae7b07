#if os(Linux)
    import MemoryModel

    extension ModelProgram {
        /// The supervisor, and the work that it watches.
        static let supervisor: [ModelProgram] = [
            ModelProgram("two need the supervisor", preemptions: 2) { execution in
                let stage = EngineStage(execution) { $0.isSupervised = false }
                stage.thread("thread 1") { Supervisor.current()?.perform(stage.job(1)) }
                stage.thread("thread 2") { Supervisor.current()?.perform(stage.job(2)) }
                execution.check { stage.problem([1, 2]) }
            },
            ModelProgram("a request is awaited", preemptions: 2) { execution in
                let cell = Cell()
                let stage = EngineStage(execution)
                stage.thread("caller") {
                    Supervisor.current()?.performAndWait { cell.write() }
                    cell.read()
                }
                execution.check { nil }
            },
            ModelProgram("a job is kept while the watch ends", preemptions: 1) { execution in
                let stage = EngineStage(execution) { ($0.threads, $0.hasLanes) = (2, true) }
                stage.addThread(0)
                stage.addThread(1)
                stage.submit(1) { stage.keep(2) }
                execution.settle()
                stage.thread("sender") {
                    stage.pause(milliseconds: 10)
                    stage.submit(3) {
                        stage.keep(4)
                        stage.wait(for: 4)
                    }
                }
                execution.check { stage.problem([1, 2, 3, 4]) }
            },
            ModelProgram("a kept job is sent", preemptions: 2) { execution in
                let stage = EngineStage(execution) { ($0.threads, $0.hasLanes) = (2, true) }
                stage.addThread(0)
                stage.addThread(1)
                execution.settle()
                stage.thread("sender") {
                    stage.submit(1) {
                        stage.keep(2) {
                            stage.pause(milliseconds: 1)
                            stage.keep(3)
                        }
                        stage.pause(milliseconds: 1)
                    }
                }
                execution.check { stage.problem([1, 2, 3]) }
            },
            ModelProgram("a long job begins while the watch ends", preemptions: 1) { execution in
                nonisolated(unsafe) var reported = 0
                let stage = EngineStage(execution) {
                    $0.observation = JobObservation(longJobLimit: .milliseconds(1)) { _ in reported += 1 }
                }
                stage.addThread()
                stage.send(1)
                execution.settle()
                stage.thread("sender") {
                    stage.pause(milliseconds: 1)
                    stage.send(2) {
                        while reported == 0 { execution.explorer.yield() }
                    }
                }
                execution.check { stage.problem([1, 2]) }
            },
        ]
    }
#endif
