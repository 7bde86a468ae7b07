/// Memory as C++20 describes it, on whose terms Swift's atomics are defined: what a load may return is not
/// only what was stored last.
///
/// # The model
///
/// An atomic location is a list of *messages*, in modification order; a message's place is its *stamp*. A
/// *view* says for each location which message is the oldest that may still be read. A thread has three:
///
/// - `current` limits what it reads and where it writes: a load returns any message from there on, and a
///   store goes to any place after it, also before messages that are there already;
/// - `acquired` is what relaxed loads have met; an acquiring fence makes it current;
/// - `released` is what the last releasing fence found current; relaxed stores release it.
///
/// A message carries the view that it releases. An update (a read-modify-write) comes immediately after the
/// message that it reads, nothing is ever placed between the two, and it carries that message's view further:
/// so a release sequence consists of updates, as in C++20.
///
/// *Plain* locations hold one value. `known` in a view says which accesses of them happened before. A write
/// must know all accesses since the last write and that write itself, a read must know that write; otherwise
/// there is a data race, which is a violation. Both orders of two accesses in a race are found to be one, so
/// plain accesses need not be interleaved.
///
/// S, the order of sequentially consistent operations, is not the order in which they are executed, but any
/// total order that [atomics.order] of C++20 allows: of two operations on one location, of which one is
/// *coherence-ordered before* the other, those two, or the fences that they happen before or after, stand in
/// the same order in S; and S agrees with happens-before. A load comes after others in S by happens-before
/// only, as in RC11: C++20 as it is written has it come after each load of an older message, too, though x86
/// lets it read what its own thread has stored early. For each operation there is a view of the messages that
/// operations up to it in S have met. In a thread's view, `sequential` joins those of all operations that
/// happened before, `fenced` those of fences only. The first limits what the thread's next sequentially
/// consistent access reads, the second all accesses. An access that reads or precedes an older message than
/// others have met is before those in S, and their views are joined with its own.
///
/// # Sources and limits
///
/// Messages and views are those of the promising semantics (Kang, Hur, Lahav, Vafeiadis, Dreyer: *A promising
/// semantics for relaxed-memory concurrency*, 2017) without promises; the same executions are those of RC11
/// (Lahav et al.: *Repairing sequential consistency in C/C++11*, 2017). Two things are not modelled, and an
/// algorithm that needs them forbidden is not shown to be right:
///
/// - No load is performed after a store that follows it in its thread (*load buffering*). Where such a load
///   could do harm, as it reads what is written later, model what it reads as plain, and the race is found;
///   see ``peek(_:by:)``.
/// - S contradicts no happens-before. C++20 allows it to, in mixtures of sequentially consistent and weaker
///   accesses of one location, for the sake of POWER; x86 and arm64 do not.
///
/// Compare-and-exchange does not fail spuriously. There is no *consume*: addresses order nothing.
struct WeakMemory {
    struct View {
        var stamps = SIMD32<UInt8>()
        var sequential = SIMD32<UInt8>()
        var fenced = SIMD32<UInt8>()
        var known: UInt128 = 0

        mutating func join(_ other: View) {
            stamps.join(other.stamps)
            sequential.join(other.sequential)
            fenced.join(other.fenced)
            known |= other.known
        }
    }

    struct Message {
        var view = View()
        /// What operations in S have met that wrote this message, or read it.
        var written = SIMD32<UInt8>()
        var read = SIMD32<UInt8>()
        let value: Int
        /// 1 for an update, else 0: a whole word, as padding cannot be hashed.
        var updates = 0
    }

    struct Thread {
        var current = View()
        var acquired = View()
        var released = View()
    }

    /// Which of the next step's alternatives is taken, and how many it turned out to have.
    private var choice = 0
    private(set) var alternatives = 1

    /// All locations' messages, and where each location's begin.
    var messages: [Message]
    var starts: [Int]
    var threads: [Thread]
    var isLive: [Bool]
    /// Whether there was an operation in S. Until then no thread has met any.
    private var isOrdered = false
    /// What sleepers on a location cannot miss: what its wakers knew.
    var kernel = SIMD32<UInt8>()
    var plain: PlainMemory

    init(atomics: [Int], plains: [Int], threadCount: Int) {
        precondition(atomics.count <= 32, "a view has a lane for each of 32 atomic locations")
        messages = atomics.map { Message(value: $0) }
        starts = Array(0...atomics.count)
        threads = Array(repeating: Thread(), count: threadCount)
        isLive = Array(repeating: true, count: threadCount)
        plain = PlainMemory(values: plains, threadCount: threadCount)
    }

    /// The value that is last in modification order.
    func newest(_ location: Int) -> Int { messages[starts[location + 1] - 1].value }

    mutating func beginStep(choice: Int) {
        self.choice = choice
        alternatives = 1
    }

    /// The way that this step is to take, of so many.
    mutating func choose(_ count: Int) -> Int {
        alternatives = count
        return choice
    }

    // MARK: Atomic accesses

    mutating func load(_ location: Int, _ ordering: Ordering, by thread: Int) -> Int {
        // The newest first, so that a thread that spins soon ends.
        let stamps = (0..<count(location)).reversed().filter { mayRead($0, at: location, ordering, thread) }
        return read(location, stamps[choose(stamps.count)], ordering, thread)
    }

    mutating func store(_ value: Int, to location: Int, _ ordering: Ordering, by thread: Int) {
        let oldest = oldest(location, ordering, thread)
        let stamps = (oldest + 1...count(location)).filter { !isUpdate($0, at: location) }
        insert(value, at: stamps[choose(stamps.count)], of: location, ordering, thread)
    }

    /// Stores to memory that other threads cannot reach.
    mutating func initialize(_ location: Int, _ value: Int, by thread: Int) {
        insert(value, at: count(location), of: location, .relaxed, thread)
    }

    /// Reads, and writes what `change` makes of it, or nothing if that is nil. Returns what was read.
    mutating func update(
        _ location: Int, _ ordering: Ordering, failure: Ordering, by thread: Int, _ change: (Int) -> Int?
    ) -> Int {
        let stamps = (0..<count(location)).filter { stamp in
            change(self[location, stamp].value) == nil
                ? mayRead(stamp, at: location, failure, thread)
                : mayRead(stamp, at: location, ordering, thread) && !isUpdate(stamp + 1, at: location)
        }
        let stamp = stamps[choose(stamps.count)]
        guard let value = change(self[location, stamp].value) else {
            return read(location, stamp, failure, thread)
        }
        let before = see(location, stamp, ordering, thread)
        insert(value, at: stamp + 1, of: location, isUpdate: true, ordering, thread)
        return before
    }

    mutating func fence(_ ordering: Ordering, by thread: Int) {
        if ordering.acquires { threads[thread].current = threads[thread].acquired }
        if ordering == .sequentiallyConsistent {
            isOrdered = true
            var met = threads[thread].current.sequential
            met.join(threads[thread].current.stamps)
            for location in 0..<starts.count - 1 {
                met.join(metBefore(location, Int(threads[thread].current.stamps[location]), isWrite: false))
            }
            threads[thread].met(met, isFence: true)
        }
        if ordering.releases { threads[thread].released = threads[thread].current }
    }

    private func count(_ location: Int) -> Int { starts[location + 1] - starts[location] }

    private subscript(location: Int, stamp: Int) -> Message {
        get { messages[starts[location] + stamp] }
        set { messages[starts[location] + stamp] = newValue }
    }

    private func isUpdate(_ stamp: Int, at location: Int) -> Bool {
        stamp < count(location) && self[location, stamp].updates != 0
    }

    private func oldest(_ location: Int, _ ordering: Ordering, _ thread: Int) -> Int {
        let view = threads[thread].current
        let met = ordering == .sequentiallyConsistent ? view.sequential : view.fenced
        return Int(max(view.stamps[location], met[location]))
    }

    private func mayRead(_ stamp: Int, at location: Int, _ ordering: Ordering, _ thread: Int) -> Bool {
        guard stamp >= oldest(location, ordering, thread) else { return false }
        // By reading, the access may come after others in S.
        return ordering != .sequentiallyConsistent
            || self[location, stamp].view.sequential[location] <= stamp
    }

    private mutating func read(
        _ location: Int, _ stamp: Int, _ ordering: Ordering, _ thread: Int
    ) -> Int {
        let value = see(location, stamp, ordering, thread)
        let met = order(location, stamp, isWrite: false, ordering, thread)
        if isOrdered { self[location, stamp].read.join(met) }
        return value
    }

    private mutating func see(
        _ location: Int, _ stamp: Int, _ ordering: Ordering, _ thread: Int
    ) -> Int {
        let message = self[location, stamp]
        threads[thread].met(location, UInt8(stamp))
        threads[thread].acquired.join(message.view)
        if ordering.acquires { threads[thread].current.join(message.view) }
        return message.value
    }

    private mutating func insert(
        _ value: Int, at stamp: Int, of location: Int, isUpdate: Bool = false, _ ordering: Ordering,
        _ thread: Int
    ) {
        precondition(count(location) < 256, "a loop writes messages that no thread reads")
        if stamp < count(location) {
            changeStamps { if $0[location] >= stamp { $0[location] += 1 } }
        }
        var message = Message(value: value, updates: isUpdate ? 1 : 0)
        messages.insert(message, at: starts[location] + stamp)
        for later in location + 1..<starts.count { starts[later] += 1 }
        threads[thread].met(location, UInt8(stamp))
        message.written = order(location, stamp, isWrite: true, ordering, thread)
        message.view = ordering.releases ? threads[thread].current : threads[thread].released
        message.view.stamps[location] = UInt8(stamp)
        if isUpdate { message.view.join(self[location, stamp - 1].view) }
        self[location, stamp] = message
    }

    // MARK: Sequential consistency

    /// What the operations in S have met that an access of this message comes after.
    func metBefore(_ location: Int, _ stamp: Int, isWrite: Bool) -> SIMD32<UInt8> {
        guard isOrdered else { return SIMD32() }
        var met = isWrite ? SIMD32() : self[location, stamp].written
        for older in 0..<stamp {
            met.join(self[location, older].written)
            met.join(self[location, older].read)
        }
        return met
    }

    /// Puts an access into S, or else the fences before it, before all that have met a newer message.
    private mutating func order(
        _ location: Int, _ stamp: Int, isWrite: Bool, _ ordering: Ordering, _ thread: Int
    ) -> SIMD32<UInt8> {
        isOrdered = isOrdered || ordering == .sequentiallyConsistent
        guard isOrdered else { return SIMD32() }
        var met = threads[thread].current.fenced
        if ordering == .sequentiallyConsistent {
            met = threads[thread].current.sequential
            // A load comes after others by happens-before only, for it may read its own thread's store early.
            if isWrite {
                met.join(metBefore(location, stamp, isWrite: true))
                met[location] = UInt8(stamp)
            }
            threads[thread].met(met, isFence: false)
        }
        if stamp + 1 < count(location) {
            changeMet { if $0[location] > stamp { $0.join(met) } }
        }
        return met
    }

    // MARK: Sleeping

    /// Whether the kernel may find this value, and whether another.
    func sleeperMayFind(_ value: Int, at location: Int, by thread: Int) -> (Bool, Bool) {
        let oldest = max(oldest(location, .relaxed, thread), Int(kernel[location]))
        let found = (oldest..<count(location)).map { self[location, $0].value == value }
        return (found.contains(true), found.contains(false))
    }

    mutating func wake(_ location: Int, by thread: Int) {
        kernel[location] = max(kernel[location], threads[thread].current.stamps[location])
    }

    // MARK: All views

    mutating func changeViews(_ change: (inout View) -> Void) {
        for index in messages.indices { change(&messages[index].view) }
        for index in threads.indices {
            change(&threads[index].current)
            change(&threads[index].acquired)
            change(&threads[index].released)
        }
    }

    /// Changes what operations in S have met.
    private mutating func changeMet(_ change: (inout SIMD32<UInt8>) -> Void) {
        guard isOrdered else { return }
        for index in messages.indices {
            change(&messages[index].written)
            change(&messages[index].read)
        }
        changeViews {
            change(&$0.sequential)
            change(&$0.fenced)
        }
    }

    mutating func changeStamps(_ change: (inout SIMD32<UInt8>) -> Void) {
        changeMet(change)
        changeViews { change(&$0.stamps) }
        change(&kernel)
    }
}

extension WeakMemory.Thread {
    fileprivate mutating func met(_ location: Int, _ stamp: UInt8) {
        current.stamps[location] = stamp
        acquired.stamps[location] = max(stamp, acquired.stamps[location])
    }

    fileprivate mutating func met(_ met: SIMD32<UInt8>, isFence: Bool) {
        current.sequential.join(met)
        acquired.sequential.join(met)
        guard isFence else { return }
        current.fenced.join(met)
        acquired.fenced.join(met)
    }
}
