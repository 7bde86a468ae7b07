import Synchronization

/// The last events that threads have recorded, as numbers: a ring of slots of one cache line each.
///
/// # The algorithm
///
/// A writer takes a ticket by an increment of `taken`; the ticket's remainder chooses the slot. It claims the
/// slot by changing its state to `2 · ticket + 1`, stores the event, and publishes it by the state
/// `2 · ticket + 2`. A reader looks at the state, reads the event, and looks at the state again.
///
/// # Invariants
///
/// 1. **One writer a slot.** Claiming is a compare-and-exchange from an even state, and states only grow. A
///    writer that meets an odd or a later state drops its event: that happens only if a thread is stopped
///    while it writes, until the others have filled the ring once. So no writer waits.
/// 2. **A read event is one event.** Words are stored releasing and loaded acquiring. If a reader sees a word
///    of a later writer, that writer's claim, which comes before, is visible when the reader looks at the
///    state for the second time. Claiming acquires, so that the former writer's stores come before.
/// 3. **Reading is bounded.** A reader looks at each slot once, and leaves out those that are being written.
///
/// Taking a ticket is relaxed: it orders nothing, a ticket only must not repeat.
final class EventRing: @unchecked Sendable {  // all words are atomic; the pointer never changes
    /// An event: words whose meaning the recorder knows.
    struct Event: Equatable {
        var time: UInt64
        var head: UInt64
        var words: (UInt64, UInt64, UInt64, UInt64, UInt64)

        static func == (one: Self, other: Self) -> Bool {
            one.time == other.time && one.head == other.head && one.words == other.words
        }
    }

    private static let wordsPerSlot = 8

    /// How many events are kept: a power of two.
    let capacity: Int
    /// The state of each slot, and behind it the seven words of the event.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let taken = Atomic<UInt64>(0)

    init(capacity: Int) {
        self.capacity = capacity
        let count = capacity * Self.wordsPerSlot
        words = UnsafeMutableRawPointer.allocate(byteCount: count * 8, alignment: 64)
            .bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: capacity * Self.wordsPerSlot)
        words.deallocate()
    }

    /// How many events have been recorded, dropped ones included.
    var recordedCount: UInt64 { taken.load(ordering: .relaxed) }

    private func slot(of ticket: UInt64) -> UnsafeMutablePointer<Atomic<UInt64>> {
        words + Int(ticket & UInt64(capacity - 1)) * Self.wordsPerSlot
    }

    /// Records an event. *Thread-safe*; takes no lock and allocates nothing.
    ///
    /// - Parameters:
    ///   - claiming: called when the ticket is taken, for tests.
    ///   - midway: called when half of the words are stored, for tests.
    @inline(__always)
    func record(_ event: Event, claiming: () -> Void = {}, midway: () -> Void = {}) {
        let ticket = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        claiming()
        let slot = slot(of: ticket)
        let seen = slot[0].load(ordering: .relaxed)
        guard seen & 1 == 0, seen <= 2 * ticket,
            slot[0].compareExchange(expected: seen, desired: 2 * ticket + 1, ordering: .acquiring).exchanged
        else { return }
        slot[1].store(event.time, ordering: .releasing)
        slot[2].store(event.head, ordering: .releasing)
        slot[3].store(event.words.0, ordering: .releasing)
        slot[4].store(event.words.1, ordering: .releasing)
        midway()
        slot[5].store(event.words.2, ordering: .releasing)
        slot[6].store(event.words.3, ordering: .releasing)
        slot[7].store(event.words.4, ordering: .releasing)
        slot[0].store(2 * ticket + 2, ordering: .releasing)
    }

    /// The events that are there, in the order of their tickets: of each thread in the order in which it has
    /// recorded them.
    ///
    /// - Parameter midway: called when half of an event's words are loaded, for tests.
    func events(midway: () -> Void = {}) -> [Event] {
        let end = taken.load(ordering: .relaxed)
        let start = end - min(end, UInt64(capacity))
        return (start..<end).compactMap { ticket in
            let slot = slot(of: ticket)
            guard slot[0].load(ordering: .acquiring) == 2 * ticket + 2 else { return nil }
            func word(_ index: Int) -> UInt64 { slot[index].load(ordering: .acquiring) }
            let (time, head, first, second) = (word(1), word(2), word(3), word(4))
            midway()
            let event = Event(time: time, head: head, words: (first, second, word(5), word(6), word(7)))
            return slot[0].load(ordering: .relaxed) == 2 * ticket + 2 ? event : nil
        }
    }
}
