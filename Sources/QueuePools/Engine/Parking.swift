#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// Where the threads of a group sleep, and how senders wake them.
    ///
    /// A thread slot is *empty* (its thread has ended or was never made), *asleep*, or *awake*. `parked` has
    /// a bit for each slot that is empty or asleep and that no sender has claimed, in as many words as the
    /// slots need. `looking` counts the threads that have found nothing and are about to sleep, and look a
    /// few times more.
    ///
    /// # The protocol to post work
    ///
    /// 1. Make the work visible: set the queue's bit in the group's `ready`, or publish a job in a lane.
    /// 2. Read all words of `parked`. If none has a bit, all threads are awake, and each looks again before
    ///   it
    ///    sleeps.
    /// 3. Read `looking`. If it is not zero, such a thread finds the work.
    /// 4. Clear the bit of a slot that is asleep, and wake its thread. If none is asleep, clear the bit of an
    ///    empty slot, and request a thread for it.
    ///
    /// ``workPosted()`` is steps 2 to 4; a sender that has done step 1 calls it.
    ///
    /// # The protocol to sleep
    ///
    /// 1. ``beginLooking(_:)``: increment `looking`. Look at the group's work a few times.
    /// 2. ``endLooking(_:)``: decrement `looking`. The thread is *searching* from then on, as it is when it
    ///    was woken or has just been made: a sender may have relied on it, and woken no other thread.
    /// 3. A searching thread that finds work calls ``found(_:hasMore:)`` before it runs it. If there is more,
    ///    this is step 2 of posting, on behalf of the senders that relied on the thread.
    /// 4. One that finds none calls ``park(_:_:hasWork:lifetime:)``: set the slot asleep and its bit in
    ///    `parked`, look at all work once more, and sleep if there is none.
    ///
    /// ``Searching`` and ``Looking`` are values that only ``begin()`` and these calls return and take, so
    /// step 3 cannot be forgotten: a thread that dropped one would trap in a debug build.
    ///
    /// # Why no work is overlooked
    ///
    /// Sender and thread each write one word and then read the other's:
    ///
    ///     sender                      | thread
    ///     ----------------------------|------------------------------------
    ///     makes work visible          | sets its bit in its word of `parked`
    ///     reads the words of `parked` | looks at the work
    ///
    /// All four are sequentially consistent, so one of them sees the other's write: the sender wakes a
    /// thread, or the thread does not sleep. The words are no snapshot, and need not be one: the argument
    /// concerns one thread and its word, and a sender that finds no bit has read the word of each thread. One
    /// that finds the bit of another thread wakes that, which looks at the work in its turn. The same holds
    /// for `looking`: a sender that read it before the thread's decrement made its work visible before the
    /// looks that follow the decrement; and those of ``found(_:hasMore:)`` and
    /// ``park(_:_:hasWork:lifetime:)`` follow it.
    ///
    /// # Why one thread wakes a sleeper
    ///
    /// Of the threads that clear a bit in `parked`, one sees it set. It acquires the sleeper's writes to its
    /// slot, and it alone wakes the slot's thread or requests one. A thread that finds work after it has set
    /// its bit clears the bit itself, or sleeps until the waker that was faster wakes it.
    ///
    /// # Why a thread may end
    ///
    /// A thread that has slept for its lifetime changes its slot from asleep to empty, which a waker changes
    /// to awake: one of the two succeeds. The bit stays set, so the slot is one for which a thread is made.
    ///
    /// Bits of sleeping workers and a last look before sleeping are known from Go's scheduler; the two
    /// protocols, and roles as values, from Rayon.
    struct Parking: ~Copyable {
        /// The most words of `parked`, which lie in one cache line or in two beside each other.
        static let wordLimit = 8
        /// The slots of a word.
        static let slotsPerWord = 64

        /// The group's, which frees them when it ends with this.
        private let slots: UnsafeMutablePointer<ThreadSlot>
        private let limit: Int
        private let wordCount: Int
        private let slotsPerWord: Int
        /// Whether the last thread stays when it has nothing to do.
        private let keepsLast: Bool
        private let retired = Atomic<Bool>(false)
        /// Threads that have begun, and not left their slots: each counts itself.
        private let threads = Atomic<Int>(0)
        /// The slots below this number have had threads. Written by the maker of threads.
        private let used = Atomic<Int>(0)

        private let padding = LinePadding(repeating: 0)
        private let parked: InlineArray<8, Atomic<UInt64>>
        private let parkedLine = LinePadding(repeating: 0)
        private let looking = Atomic<Int>(0)
        private let lookingLine = LinePadding(repeating: 0)

        /// The role of a thread that senders may rely on to find work. Ends when it has found some, or parks.
        struct Searching: ~Copyable {
            fileprivate init() {}
            deinit { assertionFailure("a thread that searched for work neither found some nor parked") }
            fileprivate consuming func end() { discard self }
        }

        /// The role of a thread that `looking` counts.
        struct Looking: ~Copyable {
            fileprivate init() {}
            deinit { assertionFailure("a thread has not ended its looking") }
            fileprivate consuming func end() { discard self }
        }

        /// - Parameter slotsPerWord: at most 64; less in tests.
        init(_ slots: UnsafeMutablePointer<ThreadSlot>, limit: Int, keepsLast: Bool, slotsPerWord: Int) {
            self.slots = slots
            self.limit = limit
            self.keepsLast = keepsLast
            self.slotsPerWord = slotsPerWord
            wordCount = (limit + slotsPerWord - 1) / slotsPerWord
            precondition(wordCount <= Self.wordLimit, "a group has too many threads")
            parked = InlineArray { word in
                let count = min(max(0, limit - word * slotsPerWord), slotsPerWord)
                return Atomic(count == 0 ? 0 : .max >> UInt64(64 - count))
            }
        }

        private func word(_ index: Int) -> Int { index / slotsPerWord }
        private func bit(_ index: Int) -> UInt64 { 1 << UInt64(index % slotsPerWord) }

        // MARK: To post work

        /// Work has been posted: wakes a thread, unless all are awake or one looks.
        ///
        /// - Returns: an empty slot if no thread sleeps: the caller has claimed it and requests a thread.
        @inline(__always)
        func workPosted() -> Int? {
            isAnyParked ? wakeUnlessOneLooks() : nil
        }

        /// One load where one word has all slots.
        @inline(__always)
        private var isAnyParked: Bool {
            for word in 0..<wordCount where parked[word].load(ordering: .sequentiallyConsistent) != 0 {
                return true
            }
            return false
        }

        /// Wakes a thread that sleeps, if there is one and none looks: for the caller that has claimed an
        /// empty slot, and got no thread for it.
        ///
        /// - Returns: the slot, if its thread has ended meanwhile; otherwise as ``workPosted()``.
        func wakeSleeper() -> Int? { wakeUnlessOneLooks(claimsEmptySlot: false) }

        @inline(never)
        private func wakeUnlessOneLooks(claimsEmptySlot: Bool = true) -> Int? {
            guard looking.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
            while let index = firstParked(where: { $0 == .asleep }) ?? (claimsEmptySlot ? firstParked() : nil)
            {
                let before = parked[word(index)].bitwiseAnd(~bit(index), ordering: .acquiring).oldValue
                if before & bit(index) != 0 { return wake(index) ? nil : index }
            }
            return nil
        }

        /// The first slot whose bit is set. Looks at all words again: a caller that has seen a bit which is
        /// gone meanwhile may not have read the words behind. Looks at slots are relaxed, because
        /// ``wake(_:)`` decides.
        private func firstParked(where isSought: (ThreadSlot.State) -> Bool = { _ in true }) -> Int? {
            for word in 0..<wordCount {
                var bits = parked[word].load(ordering: .sequentiallyConsistent)
                while bits != 0 {
                    let index = word * slotsPerWord + bits.trailingZeroBitCount
                    if isSought(slots[index].state.load(ordering: .relaxed)) { return index }
                    bits &= bits - 1
                }
            }
            return nil
        }

        /// Wakes the thread of a slot whose bit the caller has cleared. Returns false if none sleeps there.
        /// The exchange releases the work, so that the thread finds it.
        private func wake(_ index: Int) -> Bool {
            let change = slots[index].state.compareExchange(
                expected: .asleep, desired: .awake, ordering: .releasing)
            guard change.exchanged else { return false }
            cqp_futex_wake(UnsafeRawPointer(slots + index))
            return true
        }

        /// Whether a thread has nothing to do, or can still be made. A hint.
        var hasFreeThread: Bool { firstParked() != nil || lookingCount != 0 }

        /// How many threads look. A hint.
        var lookingCount: Int { looking.load(ordering: .relaxed) }

        /// The first slots that are empty or asleep, and not claimed: for tests.
        var freeSlots: UInt64 { parked[0].load(ordering: .relaxed) }

        // MARK: To sleep

        /// Enters a thread, which has just been made for work.
        func begin() -> Searching {
            threads.wrappingAdd(1, ordering: .relaxed)
            return Searching()
        }

        /// Counts the thread in `looking`. Relaxed: a sender that does not see it wakes one thread more.
        func beginLooking(_ search: consuming Searching?) -> Looking {
            if let search { search.end() }
            looking.wrappingAdd(1, ordering: .relaxed)
            return Looking()
        }

        /// Takes the thread off `looking`. It is searching from then on.
        func endLooking(_ look: consuming Looking) -> Searching {
            look.end()
            looking.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            return Searching()
        }

        /// Ends a search that has found work, before the thread runs it, and wakes a thread if there is more.
        ///
        /// - Returns: as ``workPosted()``.
        func found(_ search: consuming Searching, hasMore: () -> Bool) -> Int? {
            search.end()
            guard isAnyParked, hasMore() else { return nil }
            return wakeUnlessOneLooks()
        }

        /// Sleeps until there may be work. Returns nil if the thread must end, whose slot is empty then.
        ///
        /// - Parameters:
        ///   - search: nil if the thread did not look, because it is about to look here.
        ///   - hasWork: looks at all work, sequentially consistent.
        ///   - lifetime: how long a thread sleeps before it ends, unless it is the last and stays.
        func park(
            _ index: Int, _ search: consuming Searching?, hasWork: () -> Bool, lifetime: Duration
        ) -> Searching? {
            if let search { search.end() }
            let slot = slots + index
            slot.pointee.state.store(.asleep, ordering: .relaxed)
            let (word, bit) = (word(index), bit(index))
            parked[word].bitwiseOr(bit, ordering: .sequentiallyConsistent)
            if hasWork(), parked[word].bitwiseAnd(~bit, ordering: .relaxed).oldValue & bit != 0 {
                // Relaxed: a waker that still finds it asleep writes the same.
                slot.pointee.state.store(.awake, ordering: .relaxed)
                return Searching()
            }
            var lifetime: Duration? = lifetime
            while slot.pointee.state.load(ordering: .acquiring) == .asleep {
                let deadline = lifetime.map { cqp_monotonic_nanoseconds().advanced(by: $0) } ?? .max
                if !isRetired {
                    cqp_futex_wait(UnsafeRawPointer(slot), ThreadSlot.State.asleep.rawValue, deadline)
                }
                guard isRetired || cqp_monotonic_nanoseconds() >= deadline else { continue }
                guard leaveThreads() else {
                    lifetime = nil
                    continue
                }
                // Releases this thread's counts in the slot, which the slot's next thread continues.
                let (hasLeft, _) = slot.pointee.state.compareExchange(
                    expected: .asleep, desired: .empty, ordering: .releasing)
                if hasLeft { return nil }
                threads.wrappingAdd(1, ordering: .relaxed)
            }
            return Searching()
        }

        /// Takes a thread off the count. Returns false if it is the last one, and stays. Relaxed, because
        /// only this word is concerned.
        private func leaveThreads() -> Bool {
            var count = threads.load(ordering: .relaxed)
            while count > 1 || !keepsLast || isRetired {
                let change = threads.weakCompareExchange(
                    expected: count, desired: count - 1, ordering: .relaxed)
                if change.exchanged { return true }
                count = change.original
            }
            return false
        }

        // MARK: To make and end threads

        var threadCount: Int { max(0, threads.load(ordering: .relaxed)) }

        /// The slots that have had a thread.
        var usedSlots: Range<Int> { 0..<used.load(ordering: .relaxed) }

        /// Claims a slot, for a thread that is made there in any case. Returns false if it was claimed.
        /// Relaxed, because ``occupy(_:)`` acquires the writes of the slot's last thread.
        func claim(_ index: Int) -> Bool {
            parked[word(index)].bitwiseAnd(~bit(index), ordering: .relaxed).oldValue & bit(index) != 0
        }

        /// Makes an empty slot awake, whose bit the caller has cleared, before its thread is made. Returns
        /// false if there is a thread.
        ///
        /// Acquires the writes of the slot's last thread. The bit in `parked` does not always: between two
        /// attempts for one claim, a thread may have been made for another sender, and have ended.
        func occupy(_ index: Int) -> Bool {
            let change = slots[index].state.compareExchange(
                expected: .empty, desired: .awake, successOrdering: .acquiring, failureOrdering: .relaxed)
            guard change.exchanged else { return false }
            if index >= used.load(ordering: .relaxed) { used.store(index + 1, ordering: .relaxed) }
            return true
        }

        /// Makes a slot empty again, whose thread could not be made. Its bit stays cleared.
        func abandon(_ index: Int) { slots[index].state.store(.empty, ordering: .relaxed) }

        /// Sets the bit of an empty slot, so that a thread can be made there. The caller then posts the work.
        func vacate(_ index: Int) {
            parked[word(index)].bitwiseOr(bit(index), ordering: .sequentiallyConsistent)
        }

        var isRetired: Bool { retired.load(ordering: .relaxed) }

        /// Whether threads end, for the maker of one that it has counted before.
        var isRetiredForMaker: Bool { retired.load(ordering: .sequentiallyConsistent) }

        /// Ends threads from now on when they are idle, and wakes sleeping ones. Calls `vacated` with each
        /// slot that has no thread. Threads that set their bits later acquire `retired` from `parked`.
        func retire(vacated: (Int) -> Void) {
            retired.store(true, ordering: .sequentiallyConsistent)
            for index in 0..<limit {
                let before = parked[word(index)].bitwiseAnd(
                    ~bit(index), ordering: .acquiringAndReleasing
                ).oldValue
                if before & bit(index) != 0, !wake(index) { vacated(index) }
            }
        }
    }

    /// The place of one thread in a group, whose address the thread sleeps at.
    struct ThreadSlot: ~Copyable {
        enum State: UInt32, AtomicRepresentable {
            case empty
            case asleep
            case awake
        }

        let state = Atomic<State>(.empty)
        let next = NextSlot()
        /// Counts the steps that threads of the slot have run from `next`.
        let counters = JobCounters()
        private let line = InlineArray<6, UInt64>(repeating: 0)
    }
#endif
