import Synchronization
import Topology

/// The queues of one tier: made together on first use, never changed again, and handed out in turn.
final class TierQueues<Queue: SerialQueue>: Sendable {
    /// A queue and its accounts.
    final class Slot: Sendable {
        let queue: Queue
        let ledger: QueueLedger

        init(queue: Queue, ledger: QueueLedger) {
            self.queue = queue
            self.ledger = ledger
        }
    }

    /// The queues of one NUMA node, with a counter of their own.
    private final class Shelf: Sendable {
        let turns: RoundRobin
        let first: Int

        init(_ queues: Range<Int>) {
            turns = RoundRobin(count: queues.count)
            first = queues.lowerBound
        }
    }

    let slots: [Slot]
    let waits: WaitHistogram
    private let shelves: [Shelf]
    private let shelfOfCPU: [Int]
    private let currentCPU: @Sendable () -> Int?

    init(
        layout: QueueLayout, latch: DrainLatch, currentCPU: @escaping @Sendable () -> Int?,
        makeQueue: (_ index: Int, _ node: CPUTopology.Node.ID?) -> Queue
    ) {
        let waits = WaitHistogram()
        self.waits = waits
        shelves = layout.shelves.map { Shelf($0.queues) }
        slots = layout.shelves.flatMap { shelf in
            shelf.queues.map { index in
                Slot(
                    queue: makeQueue(index, shelf.node), ledger: QueueLedger(waits: waits, latch: latch))
            }
        }
        shelfOfCPU = layout.shelfOfCPU
        self.currentCPU = currentCPU
    }

    /// The next slot in turn among those of the caller's node.
    @inline(__always)
    func next() -> Slot {
        let shelf = shelves.count == 1 ? shelves[0] : shelves[callersShelf()]
        return slots[shelf.first &+ shelf.turns.next()]
    }

    /// The slot that a key always maps to. Nodes play no part: a key must not depend on who asks.
    func slot(for key: some Hashable) -> Slot {
        slots[Int(UInt(bitPattern: key.hashValue) % UInt(slots.count))]
    }

    private func callersShelf() -> Int {
        guard let cpu = currentCPU(), shelfOfCPU.indices.contains(cpu) else { return 0 }
        return shelfOfCPU[cpu]
    }
}
