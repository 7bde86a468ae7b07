#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// What takes delayed jobs when their time has come: a queue or a lane.
    protocol DelayedJobTarget: JobOwner {
        var group: WorkerGroup { get }
        func countCancelled()
        /// Has a job run before those that wait. Returns false if the target has been closed, unless that is
        /// just happening, and the job came before: then the job's submitter takes it back, unless the holder
        /// of a queue has taken it.
        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool
    }

    /// A closure that is called later, once. It can be cancelled until it begins.
    final class DelayedJob: JobOwner, @unchecked Sendable {
        private enum Stage: UInt8, AtomicRepresentable {
            case waiting
            /// In a lane, which counts it when its turn comes, whether it was cancelled or not.
            case inLane
            case taken
        }

        // Only the thread that takes it touches the body. Relaxed: every thread has the job from the thread
        // that made it, which orders `body`.
        private let stage = Atomic<Stage>(.waiting)
        private var body: (@Sendable () -> Void)?
        /// Nil for what the supervisor calls itself. Retained with its group, so that releasing all other
        /// references loses no job.
        private let target: (any DelayedJobTarget)?
        fileprivate let group: WorkerGroup?
        let deadline: UInt64
        let supervisor: Supervisor
        // The supervisor's: its place in the heap, and the order of those with the same deadline.
        var place = 0
        fileprivate var turn: UInt64 = 0
        /// The next in a list of due jobs.
        fileprivate var next: Unmanaged<DelayedJob>?

        init(
            of target: (any DelayedJobTarget)? = nil, at deadline: UInt64, by supervisor: Supervisor,
            _ body: @escaping @Sendable () -> Void
        ) {
            self.target = target
            group = target?.group
            self.deadline = deadline
            self.supervisor = supervisor
            self.body = body
        }

        /// Whether it has begun or was cancelled.
        var isTaken: Bool { stage.load(ordering: .relaxed) == .taken }

        /// The body to run, unless the job was cancelled.
        func begin() -> (@Sendable () -> Void)? { take()?.body }

        private func take() -> (body: @Sendable () -> Void, stage: Stage)? {
            let before = stage.exchange(.taken, ordering: .relaxed)
            guard before != .taken, let body = body.take() else { return nil }
            group?.accounting?.capacity?.giveBack()
            return (body, before)
        }

        @discardableResult
        func cancel(_: JobPlace = JobPlace()) -> Bool { cancel(isKept: true) }

        /// - Parameter isKept: whether the supervisor may keep the job.
        @discardableResult
        func cancel(isKept: Bool) -> Bool {
            guard let taken = take() else { return false }
            // Counted first: what the closure captured may take long to release.
            withExtendedLifetime(taken.body) {
                guard taken.stage == .waiting else { return }
                target?.countCancelled()
                if isKept { supervisor.remove(self) }
            }
            return true
        }

        /// Takes the job back for its submitter, because the target was closed. Returns false if it was
        /// taken, or is in a lane.
        func takeBack() -> Bool {
            guard stage.compareExchange(expected: .waiting, desired: .taken, ordering: .relaxed).exchanged
            else { return false }
            body = nil
            supervisor.remove(self)
            return true
        }

        /// Its time has come: it runs before what waits. Returns false if the queue or lane has been closed.
        func becomeDue(isClosing: Bool = false) -> Bool {
            if let target { return target.accept(self, isClosing: isClosing) }
            begin()?()
            return true
        }

        /// Has a lane count it from now on. Returns false if it was cancelled.
        func enterLane() -> Bool {
            stage.compareExchange(expected: .waiting, desired: .inLane, ordering: .relaxed).exchanged
        }
    }

    /// Jobs whose time has come: a list that any thread appends to, and the queue's holder takes from.
    ///
    /// Appending exchanges the newest job, releasing; the holder takes the whole list by an exchange,
    /// acquiring, and reverses it. As no single job is taken off, an address that recurs is harmless.
    struct DueJobs: ~Copyable {
        private let newest = Atomic<Unmanaged<DelayedJob>?>(nil)

        /// Relaxed: a position in the mailbox follows each job, and orders it.
        @inline(__always)
        var isFilled: Bool { newest.load(ordering: .relaxed) != nil }

        func append(_ job: DelayedJob) {
            let owned = Unmanaged.passRetained(job)
            job.next = newest.load(ordering: .relaxed)
            while true {
                let (isAppended, present) = newest.weakCompareExchange(
                    expected: job.next, desired: owned, successOrdering: .releasing, failureOrdering: .relaxed
                )
                if isAppended { return }
                job.next = present
            }
        }

        /// Takes all of them, the one that has waited longest first.
        func takeAll() -> [DelayedJob] {
            var jobs: [DelayedJob] = []
            var next = newest.exchange(nil, ordering: .acquiring)
            while let job = next?.takeRetainedValue() {
                jobs.append(job)
                next = job.next
            }
            return jobs.reversed()
        }
    }

    /// Delayed jobs, the earliest first. Jobs that are due at the same time come out in the order in which
    /// they went in.
    ///
    /// Each group has a heap of its own, and the heaps are in a heap, by their earliest jobs. So a group's
    /// jobs are taken out at once, however many they and those of other groups are.
    struct DelayedJobHeap {
        /// The jobs of a group, or those that the supervisor calls itself: at least one.
        private final class Part: HeapElement {
            var key: ObjectIdentifier?
            var jobs = IndexedHeap<DelayedJob>()
            var place = 0

            func isBefore(_ other: Part) -> Bool {
                guard let job = jobs.first, let otherJob = other.jobs.first else { return false }
                return job.isBefore(otherJob)
            }
        }

        private var parts = IndexedHeap<Part>()
        /// By the group, which its jobs retain.
        private var partOfGroup: [ObjectIdentifier?: Part] = [:]
        /// So that a timer alone takes no memory each time.
        private var spare: Part?
        private var turns: UInt64 = 0

        /// When the earliest is due, in nanoseconds of the monotonic clock; `.max` if there is none.
        var nextDeadline: UInt64 { parts.first?.jobs.first?.deadline ?? .max }

        /// O(log *n*).
        mutating func insert(_ job: DelayedJob) {
            job.turn = turns
            turns += 1
            if let part = partOfGroup[job.groupKey] {
                part.jobs.insert(job)
                if part.jobs.first === job { parts.update(part) }
            } else {
                let part = spare.take() ?? Part()
                part.key = job.groupKey
                part.jobs.insert(job)
                partOfGroup[job.groupKey] = part
                parts.insert(part)
            }
        }

        /// Takes out a job, if it is there. O(log *n*).
        mutating func remove(_ job: DelayedJob) {
            guard let part = partOfGroup[job.groupKey] else { return }
            let isFirst = part.jobs.first === job
            guard part.jobs.remove(job) else { return }
            if part.jobs.first == nil {
                discard(part)
            } else if isFirst {
                parts.update(part)
            }
        }

        /// Takes out the earliest if it is due. O(log *n*).
        mutating func takeDue(at now: UInt64) -> DelayedJob? {
            guard let first = parts.first?.jobs.first, first.deadline <= now else { return nil }
            remove(first)
            return first
        }

        /// Takes out those of a group: those that are due, in order, and the others, in any order. O(log *n*)
        /// for each that is due, and once.
        mutating func takeAll(
            of group: WorkerGroup, at now: UInt64
        ) -> (due: [DelayedJob], rest: [DelayedJob]) {
            guard let part = partOfGroup[ObjectIdentifier(group)] else { return ([], []) }
            var due: [DelayedJob] = []
            while let job = part.jobs.first, job.deadline <= now {
                _ = part.jobs.remove(job)
                due.append(job)
            }
            let rest = part.jobs.takeAll()
            discard(part)
            return (due, rest)
        }

        private mutating func discard(_ part: Part) {
            _ = parts.remove(part)
            partOfGroup[part.key] = nil
            // After a burst.
            if partOfGroup.isEmpty, partOfGroup.capacity > 1_024 { partOfGroup = [:] }
            spare = part
        }
    }

    extension DelayedJob: HeapElement {
        fileprivate var groupKey: ObjectIdentifier? { group.map(ObjectIdentifier.init) }

        func isBefore(_ other: DelayedJob) -> Bool { (deadline, turn) < (other.deadline, other.turn) }
    }

    /// An element of an ``IndexedHeap``.
    protocol HeapElement: AnyObject {
        /// Where it is in the heap; changed by that.
        var place: Int { get set }
        func isBefore(_ other: Self) -> Bool
    }

    /// A binary heap in which each element knows its place.
    struct IndexedHeap<Element: HeapElement> {
        private var elements: [Element] = []

        var first: Element? { elements.first }

        /// O(log *n*).
        mutating func insert(_ element: Element) {
            elements.append(element)
            rise(element, from: elements.count - 1)
        }

        /// Takes out an element. Returns false if it is not there. O(log *n*).
        mutating func remove(_ element: Element) -> Bool {
            let place = element.place
            guard place < elements.count, elements[place] === element else { return false }
            let last = elements.removeLast()
            if last !== element { sink(last, from: place) }
            // After a burst.
            if elements.isEmpty, elements.capacity > 1_024 { elements = [] }
            return true
        }

        /// Takes out all, in any order. O(1).
        mutating func takeAll() -> [Element] {
            defer { elements = [] }
            return elements
        }

        /// Puts an element that is there where it belongs now. O(log *n*).
        mutating func update(_ element: Element) { sink(element, from: element.place) }

        /// Puts an element where it belongs on the way from a place to the root.
        private mutating func rise(_ element: Element, from start: Int) {
            var place = start
            while place > 0, element.isBefore(elements[(place - 1) / 2]) {
                put(elements[(place - 1) / 2], at: place)
                place = (place - 1) / 2
            }
            put(element, at: place)
        }

        /// Puts an element where it belongs below a place, or on the way from there to the root.
        private mutating func sink(_ element: Element, from start: Int) {
            var place = start
            while 2 * place + 1 < elements.count {
                var least = 2 * place + 1
                if least + 1 < elements.count, elements[least + 1].isBefore(elements[least]) { least += 1 }
                guard elements[least].isBefore(element) else { break }
                put(elements[least], at: place)
                place = least
            }
            rise(element, from: place)
        }

        private mutating func put(_ element: Element, at place: Int) {
            elements[place] = element
            element.place = place
        }
    }
#endif
