#if os(Linux)
    import Synchronization

    extension WorkerQueue: JobIntake {
        var mailbox: Mailbox { jobs.mailbox }

        /// Sends a job that can be cancelled. Returns nil if it is refused: see ``refusalCode``.
        ///
        /// - Parameter since: since when it has waited; nil: from now on.
        func submit(_ body: consuming @escaping @Sendable () -> Void, since: UInt64? = nil) -> PoolJob? {
            guard let position = takePosition() else { return nil }
            let words = Closure(consume body).intoWords()
            let published = mailbox.publish(.cancellable, words, at: position, since: since)
            let place = published.place
            makeReady(published.receiver)
            return PoolJob(owner: self, place: place)
        }

        /// Takes a position, which must be published. Returns nil if the queue accepts no jobs.
        @inline(__always)
        func takePosition() -> UInt64? {
            guard isAccepting else { return nil }
            let (position, isClosed) = mailbox.takePosition()
            guard isClosed else { return position }
            makeReady(jobs.skip(position))
            return nil
        }

        /// Makes the queue ready, if the caller has got its announcement back.
        @inline(__always)
        func makeReady(_ receiver: consuming MailboxReceiver?) {
            if let receiver { HeldQueue(self, receiver: receiver).makeReady() }
        }

        func publish(_ message: HolderMessage, at position: UInt64) {
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            let published = mailbox.publish(.holder, message.intoWords(), at: position)
            makeReady(published.receiver)
        }

        func cancel(_ place: JobPlace) -> Bool { jobs.cancel(place) }

        /// Whether jobs are accepted and there is a thread for them, which is made if there is none. Relaxed:
        /// a job that overtakes a closing meets the mailbox's own mark.
        @inline(__always)
        var isAccepting: Bool { !isClosed.load(ordering: .relaxed) && group.acceptsJobs }

        func takeRoom() -> Bool { jobs.accounting?.capacity?.take(besideThread: { isIdle }) ?? true }

        /// The error for a refused job, whose place is given back. `hasRoom` is nil if the job needs none.
        func refusal(hasRoom: Bool?) -> PoolError {
            guard !isForkedChild else { return PoolError(.forked, by: subject) }
            if hasRoom == true { jobs.accounting?.capacity?.giveBack() }
            jobs.accounting?.countRefused()
            return PoolError(hasRoom != false || refusalCode != .noThread ? refusalCode : .full, by: subject)
        }

        var refusalCode: PoolError.Code { isClosed.load(ordering: .relaxed) ? .shutDown : .noThread }

        func cancelWaiting() { jobs.cancelsWaiting.store(true, ordering: .relaxed) }

        /// As ``JobIntake`` says; also cancels jobs whose time has not come.
        func close(whenDrained body: @escaping @Sendable () -> Void) {
            isClosed.store(true, ordering: .relaxed)
            guard let position = mailbox.close() else { return body() }
            let hasDelayed = jobs.counters.meetAtDelayed() > 0
            guard position > 0 || hasDelayed else {
                // It was never used. The closer holds it for a moment, so that no thread is made for that.
                cancelWaiting()
                if let receiver = jobs.skip(position) {
                    let queue = HeldQueue(self, receiver: receiver)
                    queue.passOverFirst()
                    queue.becomeIdle()?.makeReady()
                }
                return body()
            }
            let end = { @Sendable [self] (delayed: [DelayedJob]) in
                // Unowned: the holder runs the message, and its role includes a reference to the queue.
                let message = HolderMessage { [unowned self] queue in
                    queue.runDueJobs()
                    // Cancels jobs that become due later, which another queue's closing may hand over.
                    cancelWaiting()
                    for job in delayed { job.cancel(isKept: false) }
                    _ = queue.runEmptyHandlers()
                    body()
                }
                publish(message, at: position)
            }
            if hasDelayed { Supervisor.required().endDelayedJobs(of: group, then: end) } else { end([]) }
        }
    }

    extension WorkerQueue: IdleReporting {
        var isIdle: Bool {
            mailbox.nextPosition == mailbox.takenPositions
                && jobs.counters.begunCount == jobs.counters.finishedCount && !due.isFilled
        }

        func waitsForThreadOnly(on _: QoSTier, keyHash _: Int?) -> Bool { isIdle }
    }

    extension WorkerQueue: DelayedJobTarget {
        func countCancelled() { jobs.countCancelled() }

        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool {
            let (position, isClosed) = mailbox.takePosition()
            // Also if it is closed: until the closing is read the holder runs it, and later cancels it.
            due.append(job)
            makeReady(jobs.skip(position))  // the holder looks for due jobs when it comes to this position
            return !isClosed || isClosing
        }
    }
#endif
