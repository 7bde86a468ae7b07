#if os(Linux)
    import QueuePools
    import TestSupport
    import Testing

    extension FormMixtureTests {
        struct Times {
            let after: Duration?
            let at, startBy, finishBy: ContinuousClock.Instant?
        }

        /// How a job may end without a value.
        struct Endings {
            private let throwing, full, cancelling, expiring, shutDown: Bool

            init(throwing: Bool, full: Bool, cancelling: Bool, expiring: Bool, on stage: Stage) {
                (self.throwing, self.full, self.cancelling) = (throwing, full, cancelling)
                (self.expiring, shutDown) = (expiring, stage.isToBeShutDown)
            }

            func end(with error: any Error) -> Bool {
                switch error {
                case is Thrown: return throwing
                case is CancellationError: return cancelling
                default: break
                }
                return switch (error as? PoolError)?.code {
                case .full: full
                case .cancelled: cancelling
                case .expired: expiring
                case .shutDown: shutDown
                default: false
                }
            }
        }

        /// The forms that wait, or have no value: `run`, `startWhenAccepted`, `async` with times, and
        /// those of pipelines and queues.
        static func submitAwaited(
            _ number: Int, _ form: Int, _ stage: Stage, _ tier: QoSTier, key: Int?, _ policy: FullTierPolicy,
            _ times: Times, _ may: Endings, cancels: Bool,
            _ onEnd: @escaping @Sendable (Result<Int, any Error>) -> Void,
            _ body: @escaping @Sendable () throws -> Int
        ) async {
            let (pool, journal) = (stage.pool, stage.journal)
            switch form {
            case 8:
                let queue = stage.made.randomElement()!
                let task = Task {
                    let value =
                        try await key == nil
                        ? queue.run(
                            whenFull: policy, after: times.after, at: times.at, startBy: times.startBy,
                            finishBy: times.finishBy, body)
                        : pool.run(
                            qos: tier, key: key, whenFull: policy, after: times.after, at: times.at,
                            startBy: times.startBy, finishBy: times.finishBy, body)
                    if value != number { journal.fault("run of \(number) returned \(value)") }
                }
                if cancels { task.cancel() }
                do { try await task.value } catch {
                    if !may.end(with: error) { journal.fault("run of \(number) threw \(error)") }
                }
            case 9:
                let group = JobGroup(on: pool)
                let isEmpty = Counter()
                do {
                    let handle = try await group.startWhenAccepted(
                        qos: tier, key: key, whenFull: policy, after: times.after, at: times.at,
                        startBy: times.startBy, finishBy: times.finishBy, onEnd: onEnd, body)
                    journal.accept(number)
                    if cancels { handle.cancel() }
                } catch {
                    // One that has ended before it was accepted has told its end.
                    if !may.end(with: error) { journal.fault("\(number) was not accepted: \(error)") }
                    journal.mayTell(number)
                }
                group.whenEmpty {
                    if Request.number != number { journal.fault("an empty group of \(number)") }
                    isEmpty.increment()
                }
                let end = Task {
                    try? await group.waitForAll()
                    await waitWhile(isEmpty.value == 0)
                    if isEmpty.value != 1 { journal.fault("\(number)'s group was empty twice") }
                }
                journal.tasks.append(end)
            case 10:
                let job =
                    key == nil
                    ? try? stage.made.randomElement()!.async(after: times.after, at: times.at) {
                        _ = try? body()
                    }
                    : try? pool.async(qos: tier, key: key, after: times.after, at: times.at) {
                        _ = try? body()
                    }
                if let job, cancels, job.cancel(), job.cancel() {
                    journal.fault("\(number) was cancelled twice")
                }
            default:
                do {
                    let handle = try await stage.pipeline.startWhenAccepted(
                        number, whenFull: policy, finishBy: times.finishBy, onEnd: onEnd)
                    journal.accept(number)
                    if cancels { handle.cancel() }
                } catch {
                    journal.mayTell(number)
                }
            }
        }
    }
#endif
