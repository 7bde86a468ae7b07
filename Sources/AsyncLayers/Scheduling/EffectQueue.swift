/// When the program's code runs: *effects* wait here while a call is made, and run when it has ended.
///
/// Pure: no host, loop, clock or lock. ``DisplayHost`` performs the results. A call, turn or run is
/// given the former state as it begins, and returns to it as it ends: so no counts, and no flags to restore.
///
/// - **Order.** Effects run in the order in which they arose, each once, and none while a call is made. Calls
///   that an effect makes run no effects: so none runs within another one. An exception are the loop's calls
///   where an effect runs the loop, as a modal dialog does: they run all that wait.
/// - **None is stranded.** While effects wait outside of all calls, the loop was called to run them; so it
///   was for those that arise within an effect, which may last. Those behind an effect wait for it, or for a
///   call of the loop that it runs. One announcement at a time. (Several calls that are made `together` are
///   an exception: the last one's end is near.)
/// - **Bound.** Effects that wait as a run begins are of depth 1; those that they cause, of depth 2. At depth
///   ``maximumDepth`` no pass begins, and effects caused there wait for the loop's next call. A turn begins
///   at 0, also within an effect; unless as many turns are made within each other.
/// - **One wait.** Once the main thread has waited for draws, it does not wait again until the effects of
///   that have run; except in a turn within these.
///
/// `EffectQueueEnumeration` walks the sequences of these events.
struct EffectQueue<Effect> {
    /// What is done on the main actor. The later of these prevails where one begins within the other.
    enum Work: UInt8 {
        /// The program's code, or the loop's. A call that ends runs the effects.
        case outside
        /// Several calls, between which the program is asked. Their end runs the effects.
        case together
        /// An effect.
        case effect
        /// A call: nothing of the program's is called.
        case call
    }

    struct Place: Hashable {
        fileprivate(set) var work = Work.outside
        /// How many effects have caused each other, with the one that runs.
        fileprivate(set) var depth: Int32 = 0
        /// How many calls of the loop are made, one within the effects of the other.
        fileprivate(set) var turnCount: Int32 = 0
        /// True once the main thread has waited, until the effects of that have run.
        fileprivate(set) var hasWaited = false
    }

    let maximumDepth: Int32
    private(set) var place = Place()
    private(set) var waiting = FIFO<Effect>()
    /// How many of those that wait are as deep as ``place``; the others are deeper by one.
    private(set) var levelCount = 0
    /// True from when the loop is called to run effects until it comes.
    private(set) var isAnnounced = false

    init(maximumDepth: Int32 = 16) { self.maximumDepth = maximumDepth }

    /// Mutating, so that the host does not copy the whole queue to ask.
    var isInCall: Bool { mutating get { place.work == .call } }

    /// Whether a pass may begin now. Not where effects have caused each other too often: callbacks that
    /// display again on each picture, which in the end is cached, leave the main thread to others.
    var admitsPasses: Bool { mutating get { place.depth < maximumDepth } }

    /// Begins a call, or several together.
    mutating func begin(_ work: Work) -> Work {
        let former = place.work
        if work.rawValue > former.rawValue { place.work = work }
        return former
    }

    mutating func end(_ former: Work) { place.work = former }

    /// Begins a call of the loop. Where a pool runs a job within a call, it is a part of that.
    mutating func beginTurn() -> Place {
        let former = place
        guard !isInCall else { return former }
        place.work = .outside
        if place.turnCount < maximumDepth { (place.depth, place.hasWaited) = (0, false) }
        place.turnCount += 1
        return former
    }

    mutating func endTurn(_ former: Place) { place = former }

    /// The main thread waits for draws.
    mutating func beginWait() { place.hasWaited = true }

    mutating func append(_ effect: consuming Effect) { waiting.append(effect) }

    /// Whether the loop must be called now; raises the flag.
    mutating func mustAnnounce() -> Bool {
        guard !waiting.isEmpty, !isAnnounced, place.work == .outside || place.work == .effect else {
            return false
        }
        isAnnounced = true
        return true
    }

    /// The loop comes.
    mutating func announcementComes() { isAnnounced = false }

    /// Begins to run effects; nil if they must wait, or there are none.
    mutating func beginRun() -> Place? {
        guard !waiting.isEmpty || place.hasWaited, place.work == .outside else { return nil }
        let former = place
        (place.work, levelCount) = (.effect, 0)
        return former
    }

    /// The effect that runs now; nil when the run ends.
    mutating func next(of run: Place) -> Effect? {
        if levelCount == 0 {
            guard !waiting.isEmpty, place.depth < run.depth + maximumDepth else { return nil }
            levelCount = waiting.count
            place.depth += 1
        }
        levelCount -= 1
        return waiting.popFirst()
    }

    mutating func endRun(_ run: Place) {
        place = run
        place.hasWaited = false
    }
}
