// What the threads of a group do.
extension ParkingOrderings {
    func work(_ index: Int, _ t: ModelThread) throws -> [Int] {
        _ = try t.loop {
            let made = try t.load(made[index], .acquiring)
            guard try made >= t.read(number[index]) else {
                try t.wait(self.made[index], while: made)
                return nil
            }
            switch try Stage(rawValue: t.read(stage[index])) {
            case .works:
                if let job = try take(index, t) {
                    try run(job, index, t)
                    return block ? 1 : nil
                }
                if isPrompt, try t.read(done[0]) == 0 {
                    throw Violation("\(index) was woken and found nothing")
                }
                guard try looks || beginParking(index, t) else { return nil }
                if looks { _ = try t.fetchAdd(looking, 1, .relaxed) }
                try t.write(stage[index], (looks ? Stage.looks : .sleeps).rawValue)
            case .looks:
                let hasFound =
                    try t.load(ready, .relaxed) != 0 || lanes.contains { try $0.mayHaveJobs(t) }
                _ = try t.fetchAdd(looking, -1, orderings[.endLooking])
                try t.write(owes[index], 1)
                let parks = try !hasFound && beginParking(index, t)
                try t.write(stage[index], (parks ? Stage.sleeps : .works).rawValue)
            default:
                if try !sleep(index, t) {
                    // The thread ends, and perhaps another is made.
                    try t.write(number[index], t.read(number[index]) + 1)
                    try t.write(stage[index], Stage.works.rawValue)
                    try t.write(owes[index], 1)
                }
            }
            return nil
        }
        return []
    }

    private func take(_ index: Int, _ t: ModelThread) throws -> Int? {
        if let queue = try takeReady(t) {
            try payWakeUp(index, t)
            return queue
        }
        for lane in lanes where try lane.mayHaveJobs(t) {
            guard let (job, hasMore) = try lane.take(orderings, t) else { continue }
            if try !payWakeUp(index, t), hasMore { try wakeIfNeeded(t) }
            return job
        }
        return nil
    }

    private func takeReady(_ t: ModelThread) throws -> Int? {
        var ready = try t.load(ready, .relaxed)
        while ready != 0 {
            let next = ready.trailingZeroBitCount
            if try t.fetchAnd(self.ready, ~(1 << next), orderings[.claimReady]) & 1 << next != 0 {
                return next
            }
            ready &= ~(1 << next)
        }
        return nil
    }

    /// Passes on the wake-up that the thread owes. False if it owes none.
    @discardableResult
    private func payWakeUp(_ index: Int, _ t: ModelThread) throws -> Bool {
        guard try t.read(owes[index]) == 1 else { return false }
        try t.write(owes[index], 0)
        if try t.load(parked, orderings[.lookToPassOn]) != 0, try hasWork(t) { try wakeUnlessOneLooks(t) }
        return true
    }

    private func run(_ job: Int, _ index: Int, _ t: ModelThread) throws {
        try t.write(counts[index], 1)
        guard try t.read(sent[job]) == 1 else { throw Violation("a job is run that was not sent") }
        try t.write(done[job], t.read(done[job]) + 1)
    }

    /// False if there is something to do.
    private func beginParking(_ index: Int, _ t: ModelThread) throws -> Bool {
        try t.store(threadSlots[index], ThreadSlot.asleep.rawValue, .relaxed)
        _ = try t.fetchOr(parked, 1 << index, orderings[.setParked])
        if try hasWork(t), try t.fetchAnd(parked, ~(1 << index), .relaxed) & 1 << index != 0 {
            try t.store(threadSlots[index], ThreadSlot.awake.rawValue, .relaxed)
            return false
        }
        return true
    }

    /// False if the thread must end.
    private func sleep(_ index: Int, _ t: ModelThread) throws -> Bool {
        if try t.load(threadSlots[index], orderings[.lookAtThreadSlot]) == ThreadSlot.asleep.rawValue {
            if try t.load(isRetired, .relaxed) == 1 { return try !leaveSlot(index, t) }
            try t.wait(threadSlots[index], while: ThreadSlot.asleep.rawValue)
            return try !timesOut || !leaveSlot(index, t)
        }
        try t.write(stage[index], Stage.works.rawValue)
        try t.write(owes[index], 1)
        return true
    }

    private func leaveSlot(_ index: Int, _ t: ModelThread) throws -> Bool {
        try t.compareExchange(
            threadSlots[index], expected: ThreadSlot.asleep.rawValue, desired: ThreadSlot.empty.rawValue,
            orderings[.leaveSlot]
        ).exchanged
    }
}

extension ParkingOrderings {
    /// A lane: a mailbox without reuse of segments, which is read under a lock.
    struct Lane {
        private let tail, head, isLocked: AtomicLocation
        /// What belongs to the mailbox's receiver.
        private let receiver: PlainLocation
        private var slots: [(state: AtomicLocation, words: PlainLocation)] = []

        init(_ index: Int, in program: inout Program) {
            tail = program.atomic("tail[\(index)]")
            head = program.atomic("head[\(index)]")
            isLocked = program.atomic("isLocked[\(index)]")
            receiver = program.plain("receiver[\(index)]")
        }

        mutating func addSlot(in program: inout Program) {
            let name = "\(receiver.name).\(slots.count)"
            slots.append((program.atomic("state \(name)"), program.plain("words \(name)")))
        }

        func send(_ job: Int, _ orderings: Orderings<Site>, _ t: ModelThread) throws {
            let slot = try slots[t.fetchAdd(tail, 1, .relaxed)]
            try t.write(slot.words, job)
            _ = try t.exchange(slot.state, 1, orderings[.publish])
        }

        func mayHaveJobs(_ t: ModelThread) throws -> Bool {
            try t.load(tail, .relaxed) > t.load(head, .relaxed)
        }

        /// A job, and whether there is another.
        func take(_ orderings: Orderings<Site>, _ t: ModelThread) throws -> (job: Int, hasMore: Bool)? {
            guard try lock(orderings[.lockToTake], t) else { return nil }
            let head = try t.read(receiver)
            var taken: (Int, Bool)?
            if head < slots.count, try t.load(slots[head].state, .acquiring) == 1 {
                let job = try t.read(slots[head].words)
                try t.write(receiver, head + 1)
                try t.store(self.head, head + 1, .relaxed)
                taken = try (job, hasArrival(orderings, t))
            }
            try t.store(isLocked, 0, orderings[.unlockTaken])
            return taken
        }

        func hasJob(_ orderings: Orderings<Site>, _ t: ModelThread) throws -> Bool {
            _ = try t.loop { try lock(orderings[.lockToLook], t) ? 1 : nil }
            let hasJob = try hasArrival(orderings, t)
            try t.store(isLocked, 0, orderings[.unlockLooked])
            return hasJob
        }

        /// In the code an exchange. Where that fails, it writes what is there already.
        private func lock(_ ordering: Ordering, _ t: ModelThread) throws -> Bool {
            try t.compareExchange(isLocked, expected: 0, desired: 1, ordering, failure: .relaxed).exchanged
        }

        private func hasArrival(_ orderings: Orderings<Site>, _ t: ModelThread) throws -> Bool {
            let head = try t.read(receiver)
            return try head < slots.count && t.load(slots[head].state, orderings[.lookAtSlot]) == 1
        }
    }
}
