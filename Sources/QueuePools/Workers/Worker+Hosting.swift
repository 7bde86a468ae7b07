#if os(Linux)
    import CLinuxThreads
    import Dispatch
    import Synchronization

    /// Who has the receiver's role of a worker, and with it the worker's desk.
    enum Receiver: UInt8, AtomicRepresentable {
        case nobody
        /// The host, for the length of one visit to the mailbox.
        case host
        /// The host, and the worker's own thread waits for the end of the visit.
        case hostNotForLong
        /// The worker's own thread, for good.
        case thread
    }

    /// While a worker has no thread, another worker of its crew receives for it, as an errand among its own
    /// jobs.
    ///
    /// # How the role changes hands
    ///
    /// The host takes the role for each visit, and gives it back at its end; taking acquires and giving back
    /// releases, so the next one sees the desk as it was left. A visit ends when the mailbox has announced
    /// that its receiver sleeps; the sender that gets the announcement back sends the host on its next visit.
    ///
    /// When a thread has been made, it first takes the host's name off, so that senders wake the thread, and
    /// then takes the role, for good. A sender may have read the name before. Then it sends the host on a
    /// visit, which does nothing, and does not wake the thread; but that thread announces its sleep by an
    /// exchange on the slot, after it took the name off. If that exchange comes before the sender's, then the
    /// sender acquires it and does not read the name. If it comes after, then it fails, and the thread finds
    /// the job.
    extension Worker {
        /// Makes this worker the host of another. The caller holds the crew's lock, and this worker is in the
        /// crew.
        func adopt(_ guest: Worker) {
            guest.hostReference = self
            guest.host.store(Unmanaged.passUnretained(self), ordering: .releasing)
            post { [unowned self] in
                guests[ObjectIdentifier(guest)] = guest
                // A job of this worker may have waited for the guest, and so visited it, before it was a guest; what
                // was arranged then may have come to nothing.
                guest.nextVisit = .max
                guest.receive(hostedBy: self)
            }
        }

        /// One visit of the host. Not longer than some jobs, so that the host's own get their turn.
        func receive(hostedBy host: Worker) {
            guard
                receiver.compareExchange(
                    expected: .nobody, desired: .host, successOrdering: .acquiring, failureOrdering: .relaxed
                ).exchanged
            else { return }
            outerMark = clinux_thread_get_mark()
            clinux_thread_set_mark(Unmanaged.passUnretained(self).toOpaque())

            var jobsLeft = 64
            while jobsLeft > 0, let letter = mailbox.take() {
                perform(letter)
                jobsLeft -= 1
                runDueTimers()
            }
            let hasRun = runDueTimers() || (jobsLeft > 0 && runEmptyHandlers())
            clinux_thread_set_mark(outerMark)

            let hasEnded = isFinished && !mailbox.hasUnread
            if hasEnded {
                host.dismissGuest(ObjectIdentifier(self))
                withdrawAnnouncement()
            }
            let mustComeBack = !hasEnded && (jobsLeft == 0 || hasRun || announceWaiting() == nil)
            let deadline = timers.nextDeadline
            let giveBack = receiver.compareExchange(
                expected: .host, desired: .nobody, successOrdering: .releasing, failureOrdering: .relaxed)
            if !giveBack.exchanged {
                receiver.store(.thread, ordering: .releasing)
                handOver.signal()
            } else if mustComeBack {
                host.post { [unowned host, weak self] in self?.receive(hostedBy: host) }
            } else if deadline < nextVisit {
                nextVisit = deadline
                host.schedule(.visit(guest: ObjectIdentifier(self)), at: deadline)
            }
        }

        /// Comes to a guest when it was arranged.
        func visit(_ guest: ObjectIdentifier) {
            guard let guest = guests[guest] else { return }
            guest.nextVisit = .max
            guest.receive(hostedBy: self)
        }

        /// Forgets a guest that has ended or has a thread, and when to visit it.
        private func dismissGuest(_ guest: ObjectIdentifier) {
            guests[guest] = nil
            timers.removeAll { if case .visit(guest) = $0 { true } else { false } }
            removeCancelledTimers()
        }

        /// The worker's thread takes the role, from its host if there is one.
        func takeOver() {
            if let host = host.exchange(nil, ordering: .acquiringAndReleasing)?.takeUnretainedValue() {
                let guest = ObjectIdentifier(self)  // without a reference: the host may have gone
                host.post { [unowned host] in host.dismissGuest(guest) }
            }
            while true {
                let (taken, holder) = receiver.compareExchange(
                    expected: .nobody, desired: .thread, successOrdering: .acquiring,
                    failureOrdering: .relaxed)
                if taken { return }
                let asked = receiver.compareExchange(
                    expected: holder, desired: .hostNotForLong, successOrdering: .relaxed,
                    failureOrdering: .relaxed)
                if asked.exchanged { return handOver.wait() }
            }
        }

        /// Whether the caller runs on a thread of this crew.
        static func isCallersCrew(_ crew: Crew) -> Bool {
            guard let mark = clinux_thread_get_mark() else { return false }
            return Unmanaged<Worker>.fromOpaque(mark)._withUnsafeGuaranteedRef { $0.crew === crew }
        }

        /// Whether the caller runs on the thread of this worker, be it in a job of a guest.
        var isOnOwnThread: Bool {
            var mark = clinux_thread_get_mark()
            while let address = mark {
                let worker = Unmanaged<Worker>.fromOpaque(address)
                if address == Unmanaged.passUnretained(self).toOpaque() { return true }
                mark = worker._withUnsafeGuaranteedRef {
                    $0.receiver.load(ordering: .relaxed) == .thread ? nil : $0.outerMark
                }
            }
            return false
        }
    }
#endif
