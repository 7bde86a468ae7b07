/// How threads sleep and are woken, with the orderings of the accesses: the code of `WorkerGroup`,
/// `WorkerThread` and `UnorderedLane`, line by line.
///
/// Jobs are numbered. A job of a queue is alone in it, and the queue has its number. What the supervisor does
/// is done by the thread that asks for it.
struct ParkingOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case makeReady, claimReady, lookAtReady
        case lookAtParked, lookAtLooking, claimParked, wake
        case endLooking, lookToPassOn
        case setParked, lookAtThreadSlot
        case leaveSlot, claimSlot
        case vacate, wakeIfAsleep
        case publish, lookAtSlot, lockToTake, unlockTaken, lockToLook, unlockLooked

        var ordering: Ordering {
            switch self {
            case .wakeIfAsleep: .acquiringAndReleasing
            case .claimReady, .claimParked, .lookAtThreadSlot, .claimSlot, .lockToTake, .lockToLook:
                .acquiring
            case .wake, .leaveSlot, .unlockTaken, .unlockLooked: .releasing
            default: .sequentiallyConsistent
            }
        }
    }

    enum Action {
        /// Makes the queue of a job ready.
        case send(Int)
        /// Sends an unordered job.
        case submit(Int, lane: Int = 0)
        /// Has all threads end that have nothing to do.
        case retire
        /// Gives back the first thread's slot, as there was nothing to do when the thread could not be made.
        case giveBackSlot
        /// Has the first thread made, although another sender may have asked for it.
        case requireThread
        /// Wakes the first thread, whose bit the sender has cleared, or has it made.
        case wakeFirst

        var job: Int? {
            switch self {
            case .send(let job), .submit(let job, lane: _): job
            case .retire, .giveBackSlot, .requireThread, .wakeFirst: nil
            }
        }
    }

    /// What a thread begins with.
    enum Start {
        case working, looking, asleep
        /// There is no thread yet.
        case none
    }

    enum ThreadSlot: Int { case empty, asleep, awake }
    enum Stage: Int { case works, looks, sleeps }

    private(set) var program = Program()
    let orderings: Orderings<Site>
    let ready, parked, looking, isRetired: AtomicLocation
    private(set) var threadSlots: [AtomicLocation] = []
    /// Of each thread slot: how many threads have been made, which of them is the present one, what that
    /// does, and whether it owes a wake-up.
    private(set) var made: [AtomicLocation] = []
    private(set) var number: [PlainLocation] = []
    private(set) var stage: [PlainLocation] = []
    private(set) var owes: [PlainLocation] = []
    /// Of each thread slot: what its threads count there, each further than the one before.
    private(set) var counts: [PlainLocation] = []
    /// Of each job: what its sender wrote, and how often it was run.
    private(set) var sent: [PlainLocation] = []
    private(set) var done: [PlainLocation] = []
    private(set) var lanes: [Lane] = []
    let looks, block, timesOut, isPrompt: Bool

    /// - Parameters:
    ///   - ready: Queues that are ready at first.
    ///   - parked: The bits that are set at first, if not those of threads that sleep, or that there are not.
    ///   - looks: Whether threads look once more before they park.
    ///   - block: Whether jobs never end, so that each needs a thread.
    ///   - timesOut: Whether a thread that sleeps may end.
    ///   - isPrompt: Whether the only thread must find the job when it has been woken.
    init(
        _ threads: [Start], _ senders: [[Action]], ready: [Int] = [], parked: Int? = nil, looks: Bool = false,
        block: Bool = false, timesOut: Bool = false, isPrompt: Bool = false, _ orderings: Orderings<Site>
    ) {
        self.orderings = orderings
        (self.looks, self.block, self.timesOut, self.isPrompt) = (looks, block, timesOut, isPrompt)
        self.ready = program.atomic("ready", ready.reduce(0) { $0 | 1 << $1 })
        let sleeping = threads.indices.filter { [.asleep, .none].contains(threads[$0]) }
        self.parked = program.atomic("parked", parked ?? sleeping.reduce(0) { $0 | 1 << $1 })
        looking = program.atomic("looking", threads.count { $0 == .looking })
        isRetired = program.atomic("isRetired")
        for start in threads { addSlot(start) }
        for job in (ready + senders.joined().compactMap(\.job)).sorted() {
            sent.append(program.plain("sent[\(job)]", ready.contains(job) ? 1 : 0))
            done.append(program.plain("done[\(job)]"))
        }
        for action in senders.joined() {
            if case .submit(_, let lane) = action {
                if lane == lanes.count { lanes.append(Lane(lane, in: &program)) }
                lanes[lane].addSlot(in: &program)
            }
        }
        if timesOut { program.returnsWithoutReason = 1 }
        addThreads(count: threads.count, senders)
    }

    private mutating func addSlot(_ start: Start) {
        let (slot, stage): (ThreadSlot, Stage) =
            switch start {
            case .working: (.awake, .works)
            case .looking: (.awake, .looks)
            case .asleep: (.asleep, .sleeps)
            case .none: (.empty, .works)
            }
        let index = threadSlots.count
        threadSlots.append(program.atomic("slot[\(index)]", slot.rawValue))
        made.append(program.atomic("made[\(index)]", start == .none ? 0 : 1))
        number.append(program.plain("number[\(index)]", 1))
        self.stage.append(program.plain("stage[\(index)]", stage.rawValue))
        owes.append(program.plain("owes[\(index)]", 1))
        counts.append(program.plain("counts[\(index)]"))
    }

    private mutating func addThreads(count: Int, _ senders: [[Action]]) {
        for index in 0..<count {
            program.thread("thread \(index)", maySleepForever: true) { [self] t in try work(index, t) }
        }
        for (index, actions) in senders.enumerated() {
            program.thread("sender \(index)") { [self] t in
                for action in actions { try perform(action, t) }
                return []
            }
        }
        let isRetiring = senders.joined().contains { if case .retire = $0 { true } else { false } }
        program.check = { [done, threadSlots] end in
            guard done.allSatisfy({ end[$0] == 1 }) else { throw Violation("a job was not run") }
            guard !isRetiring || threadSlots.allSatisfy({ end[$0] == ThreadSlot.empty.rawValue })
            else { throw Violation("a thread has not ended") }
        }
    }

    // MARK: Senders

    private func perform(_ action: Action, _ t: ModelThread) throws {
        switch action {
        case .send(let job):
            try t.write(sent[job], 1)
            try makeReady(job, t)
        case .submit(let job, let lane):
            try t.write(sent[job], 1)
            try lanes[lane].send(job, orderings, t)
            try wakeIfNeeded(t)
        case .retire:
            try t.store(isRetired, 1, .relaxed)
            for index in threadSlots.indices { try wakeIfAsleep(index, t) }
        case .requireThread:
            let isUnclaimed = try t.fetchAnd(parked, ~1, orderings[.claimParked]) & 1 != 0
            if try !isUnclaimed || !wake(0, t) { _ = try startThread(0, t) }
        case .wakeFirst: if try !wake(0, t) { try makeThread(0, t) }
        case .giveBackSlot:
            if try !hasWork(t) { try vacate(0, t) } else { try makeThread(0, t) }
        }
    }

    private func makeReady(_ queue: Int, _ t: ModelThread) throws {
        _ = try t.fetchOr(ready, 1 << queue, orderings[.makeReady])
        try wakeIfNeeded(t)
    }

    func wakeIfNeeded(_ t: ModelThread) throws {
        guard try t.load(parked, orderings[.lookAtParked]) != 0 else { return }
        try wakeUnlessOneLooks(t)
    }

    func wakeUnlessOneLooks(_ t: ModelThread) throws {
        guard try t.load(looking, orderings[.lookAtLooking]) == 0 else { return }
        var parked = try t.load(parked, .relaxed)
        while parked != 0 {
            let index = try sleeper(parked, t) ?? parked.trailingZeroBitCount
            let claim = try t.compareExchange(
                self.parked, expected: parked, desired: parked & ~(1 << index), orderings[.claimParked])
            guard claim.exchanged else {
                parked = claim.original
                continue
            }
            if try !wake(index, t) { try makeThread(index, t) }
            return
        }
    }

    /// The first thread slot with a bit whose thread sleeps. With a single bit, the choice does not depend on
    /// that.
    private func sleeper(_ parked: Int, _ t: ModelThread) throws -> Int? {
        guard parked & (parked - 1) != 0 else { return nil }
        return try threadSlots.indices.first {
            try parked & 1 << $0 != 0 && t.load(threadSlots[$0], .relaxed) == ThreadSlot.asleep.rawValue
        }
    }

    private func wake(_ index: Int, _ t: ModelThread) throws -> Bool {
        let change = try t.compareExchange(
            threadSlots[index], expected: ThreadSlot.asleep.rawValue, desired: ThreadSlot.awake.rawValue,
            orderings[.wake],
            failure: .relaxed)
        guard change.exchanged else { return false }
        try t.wake(threadSlots[index])
        return true
    }

    private func wakeIfAsleep(_ index: Int, _ t: ModelThread) throws {
        guard try t.fetchAnd(parked, ~(1 << index), orderings[.wakeIfAsleep]) & 1 << index != 0 else {
            return
        }
        if try !wake(index, t) { try vacate(index, t) }
    }

    private func makeThread(_ index: Int, _ t: ModelThread) throws {
        if try !startThread(index, t), try hasWork(t) { try wakeIfNeeded(t) }
    }

    /// False if the thread slot has a thread. Threads are made with release and acquire.
    private func startThread(_ index: Int, _ t: ModelThread) throws -> Bool {
        let change = try t.compareExchange(
            threadSlots[index], expected: ThreadSlot.empty.rawValue, desired: ThreadSlot.awake.rawValue,
            orderings[.claimSlot],
            failure: .relaxed)
        guard change.exchanged else { return false }
        _ = try t.read(counts[index])
        _ = try t.fetchAdd(made[index], 1, .releasing)
        try t.wake(made[index])
        return true
    }

    private func vacate(_ index: Int, _ t: ModelThread) throws {
        _ = try t.fetchOr(parked, 1 << index, orderings[.vacate])
        if try hasWork(t) { try wakeIfNeeded(t) }
    }

    func hasWork(_ t: ModelThread) throws -> Bool {
        if try t.load(ready, orderings[.lookAtReady]) != 0 { return true }
        return try lanes.contains { try $0.hasJob(orderings, t) }
    }
}
