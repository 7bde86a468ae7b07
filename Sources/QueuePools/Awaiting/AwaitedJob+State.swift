extension AwaitedJob {
    enum Phase {
        case new
        /// Waits until the tier has room; the place is the capacity's.
        case suspended(PoolJob, QoSTier)
        /// On its way to a queue or lane of the tier, where it may have begun.
        case placing(QoSTier)
        case placed(PoolJob, QoSTier)
        /// On its way to a higher tier, from another where it is placed or suspended. It may begin on either.
        case moving(from: PoolJob, QoSTier, isSuspended: Bool, to: QoSTier)
        case running
        /// Its closure is being released.
        case ending(PoolError.Code)
        /// Has ended, with its value or for a reason of the pool.
        case ended(PoolError.Code?)
    }

    struct State {
        var phase = Phase.new
        /// The tier that the job has begun on.
        var beganOn: QoSTier?
        /// A higher tier, to move to when the job is placed.
        var wish: QoSTier?
        /// Whether there was room for a suspended job while it moved.
        var hasMissedRoom = false
        /// Whether the tier that the job is on its way to has released it.
        var isDropped = false
        /// Whether the tier that it moves away from has released it.
        var isOriginDropped = false
        /// The tasks that await the end, mostly one.
        var waiter: UnsafeContinuation<Void, Never>?
        var otherWaiters: [UnsafeContinuation<Void, Never>] = []
        /// Resumed when the job is no longer suspended.
        var admission: UnsafeContinuation<Void, Never>?
        var timer: PoolJob?

        /// Ends a move, for which the job was placed on a tier, or refused there.
        mutating func settleMove(to new: PoolJob?, on tier: QoSTier) -> Move {
            let new = isDropped ? nil : new
            switch (phase, new) {
            case (.moving, let new?):
                phase = .placed(new, tier)
                return .moved
            case (.moving, nil) where isOriginDropped: return .isNowhere
            case (.moving(let place, let present, let isSuspended, _), nil):
                phase = isSuspended ? .suspended(place, present) : .placed(place, present)
                guard hasMissedRoom else { return .stayed }
                phase = .placing(present)
                return .hasRoom
            default: return beganOn == tier ? .moved : .stayed
            }
        }
    }

    /// How a move to another tier has ended.
    enum Move {
        case moved, stayed
        /// It stays, and there was room for it meanwhile: it is `placing`.
        case hasRoom
        /// Neither tier has it.
        case isNowhere
    }
}
