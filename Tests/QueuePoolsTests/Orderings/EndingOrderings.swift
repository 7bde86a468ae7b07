/// How threads of a retired group end and are joined, with the orderings of the accesses: `threadEnds` and
/// `joinThreads` of `WorkerGroup`.
struct EndingOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case leaveHandle, countEnd, lookAtCount, takeHandle

        var ordering: Ordering {
            switch self {
            case .leaveHandle: .acquiringAndReleasing
            case .countEnd: .releasing
            case .lookAtCount, .takeHandle: .acquiring
            }
        }
    }

    private(set) var program = Program()

    /// A thread that has ended because it had no work is detached, and counted only.
    enum Case: CaseIterable {
        case two, oneIsDetached
        /// A thread is made while another ends, as for a step that comes late.
        case oneIsLate
    }

    init(_ program: Case, _ orderings: Orderings<Site>) {
        let threads = program == .oneIsLate ? 1 : 2
        self.program = Program()
        let unended = self.program.atomic("unended", threads)
        let lastEnded = self.program.atomic("lastEnded")
        // What a thread did, and what its joiner needs of it.
        let effects = (0..<threads + 1).map { self.program.plain("effect[\($0)]") }
        func join(_ handle: Int, _ t: ModelThread) throws {
            if handle != 0 { _ = try t.read(effects[handle - 1]) }
        }
        func end(_ number: Int, _ t: ModelThread) throws {
            try t.write(effects[number], 1)
            let isDetached = program == .oneIsDetached && number == 0
            if !isDetached { try join(t.exchange(lastEnded, number + 1, orderings[.leaveHandle]), t) }
            _ = try t.fetchAdd(unended, -1, orderings[.countEnd])
        }
        for number in 0..<threads {
            self.program.thread("thread \(number)") { t in
                try end(number, t)
                return []
            }
        }
        if program == .oneIsLate {
            self.program.thread("late thread") { t in
                _ = try t.fetchAdd(unended, 1, .relaxed)
                try end(threads, t)
                return []
            }
        }
        self.program.thread("joiner") { t in
            _ = try t.loop { try t.load(unended, orderings[.lookAtCount]) == 0 ? 1 : nil }
            try join(t.exchange(lastEnded, 0, orderings[.takeHandle]), t)
            // All but the late one have ended, and the joiner reads what they did.
            for effect in effects.dropLast() { _ = try t.read(effect) }
            return []
        }
    }
}

/// How a thread is made while the group is retired and a shutdown joins, with the orderings of the accesses:
/// `startThread`, `retire` and `joinThreads` of `WorkerGroup`. There is no work.
struct LateStartOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case countStart, lookAtRetired, retire, lookForStart

        var ordering: Ordering { .sequentiallyConsistent }
    }

    private(set) var program = Program()

    init(_ orderings: Orderings<Site>) {
        let (unended, isRetired) = (program.atomic("unended"), program.atomic("isRetired"))
        program.thread("supervisor") { t in
            _ = try t.fetchAdd(unended, 1, orderings[.countStart])
            guard try t.load(isRetired, orderings[.lookAtRetired]) == 1 else { return [1] }
            _ = try t.fetchAdd(unended, -1, .relaxed)
            return [0]
        }
        program.thread("joiner") { t in
            try t.store(isRetired, 1, orderings[.retire])
            return [try t.load(unended, orderings[.lookForStart])]
        }
        program.check = { end in
            guard end.results != [[1], [0]] else { throw Violation("a thread is made, and not waited for") }
        }
    }
}
