extension AwaitedJob {
    enum Phase {
        case new
        /// Waits until the tier has room; the place is the capacity's.
        case waitingForRoom(PoolJob)
        /// In a queue or lane of a tier, or of several, or on its way there.
        case submitted
        case running
        /// Its closure is being released.
        case ending
        /// Has ended, with its value or for a reason of the pool.
        case ended(PoolError.Code?)
    }

    /// A submission of the job to a tier.
    struct Ticket: Sendable {
        /// Of all tickets of the job.
        let number: UInt32
        /// Whether its submitter counts as a ticket of its round.
        var isFirst = false
        /// The stage that it begins.
        let round: UInt32
        let tier: QoSTier
        let keyHash: Int?
        /// When the job may begin, if its time had not come: then it has taken no place of the capacity.
        let begin: UInt64?
    }

    struct State {
        var phase = Phase.new
        /// The number of the stage.
        var round: UInt32 = 0
        /// The pool of the stage; nil in the first round, whose pool the job has.
        var target: (any AwaitedJobTarget)?
        var keyHash: Int?
        /// The tier that the job belongs to: on which it waits, or has begun.
        var tier = QoSTier.default
        /// The highest tier that a task's priority has risen to: later stages move there, too.
        var raised: QoSTier?
        /// The number of the ticket by which it belongs there.
        private var current: UInt32 = 0
        /// The current ticket's place, once the thread that has submitted it has stored that.
        var place: PoolJob?
        private var issued: UInt32 = 0
        /// The round's tickets that were neither used nor released, and the thread that submits the first.
        var tickets = 0
        /// The tickets that queues have released while the job waited.
        private var lost: [UInt32] = []
        /// The tickets by which the rounds before began.
        private var past: [UInt32] = []
        /// The tasks that await the end, mostly one.
        var waiter: UnsafeContinuation<Void, Never>?
        var otherWaiters: [UnsafeContinuation<Void, Never>] = []
        /// Resumed when the job no longer waits for room.
        var admission: UnsafeContinuation<Void, Never>?
        var startTimer: PoolJob?
        var finishTimer: PoolJob?

        var isWaiting: Bool {
            switch phase {
            case .waitingForRoom, .submitted: true
            case .new, .running, .ending, .ended: false
            }
        }

        mutating func beginRound(on tier: QoSTier, keyHash: Int?) {
            if case .running = phase { past.append(current) }
            round &+= 1
            (self.tier, self.keyHash) = (tier, keyHash)
            (place, tickets) = (nil, 0)
        }

        /// Issues a ticket for another tier.
        mutating func issue(on tier: QoSTier, begin: UInt64?) -> Ticket {
            issued &+= 1
            tickets += 1
            return Ticket(number: issued, round: round, tier: tier, keyHash: keyHash, begin: begin)
        }

        /// Issues the first ticket of a round. Its submitter counts as another one.
        mutating func issueFirst(begin: UInt64?) -> Ticket {
            var ticket = issue(on: tier, begin: begin)
            ticket.isFirst = true
            tickets += 1
            current = ticket.number
            phase = .submitted
            return ticket
        }

        /// Takes back a job that was refused. Returns false if it has ended meanwhile.
        mutating func takeBack() -> Bool {
            guard case .submitted = phase else { return false }
            phase = .new
            return true
        }

        /// A queue has released a ticket. Returns whether the job has none left, and so ends.
        mutating func loses(_ ticket: Ticket) -> Bool {
            guard ticket.round == round, isWaiting else { return false }
            lost.append(ticket.number)
            tickets -= 1
            guard tickets == 0, case .submitted = phase else { return false }
            return true
        }

        /// A place of the job to withdraw.
        struct Superfluous {
            let job: PoolJob
            /// The tier that the job has moved away from; nil if the job ended there.
            let movedFrom: QoSTier?
        }

        struct Begun {
            /// Where it waited, if that is not where it begins.
            var superfluous: Superfluous?
            var admission: UnsafeContinuation<Void, Never>?
        }

        /// Begins the job by a ticket, or leaves it waiting if it is to expire. Nil if the ticket is void.
        mutating func begin(_ ticket: Ticket, isExpired: Bool) -> Begun? {
            guard ticket.round == round, isWaiting else { return nil }
            guard !isExpired else { return Begun() }
            let superfluous = current == ticket.number ? nil : takePlace()
            (phase, tier, current, place) = (.running, ticket.tier, ticket.number, nil)
            return Begun(superfluous: superfluous, admission: admission.take())
        }

        /// The place that the job leaves for another tier, if it is known.
        private mutating func takePlace() -> Superfluous? {
            if case .waitingForRoom(let call) = phase { return Superfluous(job: call, movedFrom: tier) }
            return place.take().map { Superfluous(job: $0, movedFrom: tier) }
        }

        struct Settled {
            var superfluous: Superfluous?
            var admission: UnsafeContinuation<Void, Never>?
            /// Whether the queues have released all tickets already.
            var isReleased = false
        }

        /// Decides on the place of a job that was submitted by a ticket.
        ///
        /// | the job | and the ticket | the place |
        /// |---|---|---|
        /// | waits | is the current one | is kept |
        /// | waits | is for a higher tier, and not lost | is kept, and replaces the current one |
        /// | runs | is the one that it has begun by | is done with |
        /// | has ended | is the current one | is withdrawn |
        /// | any other | | is withdrawn, as moved out of its tier |
        ///
        /// If the place that is replaced is not known yet, the thread that submits it meets the last row.
        mutating func settle(_ new: PoolJob, _ ticket: Ticket) -> Settled {
            guard ticket.round == round else {
                return past.contains(ticket.number)
                    ? Settled() : Settled(superfluous: Superfluous(job: new, movedFrom: ticket.tier))
            }
            if ticket.isFirst { tickets -= 1 }
            if ticket.number == current {
                switch phase {
                case .submitted:
                    place = new
                    return Settled(isReleased: tickets == 0)
                case .ending, .ended: return Settled(superfluous: Superfluous(job: new, movedFrom: nil))
                case .new, .waitingForRoom, .running: return Settled()
                }
            }
            guard isWaiting, ticket.tier > tier, !lost.contains(ticket.number) else {
                return Settled(superfluous: Superfluous(job: new, movedFrom: ticket.tier))
            }
            let superfluous = takePlace()
            (phase, tier, current, place) = (.submitted, ticket.tier, ticket.number, new)
            return Settled(
                superfluous: superfluous, admission: admission.take(), isReleased: tickets == 0)
        }
    }
}
