import Dispatch
import TestSupport
import Testing

@testable import QueuePools

extension LoopTests {
    @Test("random loops in loops, from several threads, call each number once and see what calls wrote")
    func random() async throws {
        for kind in PoolKind.allCases {
            let pool = try makePool(kind, 3)
            await runRandomLoops(150, on: pool) { body in body() }
            expectNoneLost(on: pool)
        }
    }

    @Test("so do random loops of callers that go from node to node", arguments: PoolKind.allCases)
    func randomNodes(kind: PoolKind) async throws {
        let nodes = TwoNodes()
        let pool = try nodes.pool(kind)
        let turn = Counter()
        await runRandomLoops(75, on: pool) { body in nodes.on(turn.increment() % 2, body) }
        expectNoneLost(on: pool)
    }

    @Test("so do random loops on queues that drop some of their jobs, and no helper's place is lost")
    func randomDrops() async throws {
        let options = QueuePoolOptions(label: "d", queuesPerTier: .exactly(3))
        let pool = try QueuePool(options) { label, _, _ in DroppingQueue(label) }
        await runRandomLoops(75, on: pool) { body in body() }
        expectNoneLost(on: pool)
        for tier in pool.loops {
            let places = (0..<3).map { _ in tier.partitions[0].taken() }
            #expect(places[0] != nil && places[1] != nil && places[2] == nil)
        }
    }

    /// Runs loops from several threads, each in a closure that is called with it.
    private func runRandomLoops(
        _ count: Int, on pool: any LoopingPool, _ around: @escaping @Sendable (() -> Void) -> Void
    ) async {
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    var generator = SeededGenerator(seed: StressPlan.seed &+ UInt64(thread))
                    for _ in 0..<(count * StressPlan.scale) {
                        around { runRandomLoop(on: pool, depth: 0, &generator) }
                    }
                }
            }
        }
    }

    private func expectNoneLost(on pool: any LoopingPool) {
        pool.shutdownBlocking()
        let end = pool.statistics
        #expect(end.tiers.values.allSatisfy { $0.submitted == $0.finished + $0.cancelled })
    }
}

/// Drops each third of its jobs, and runs the others.
private final class DroppingQueue: SerialQueue {
    private let turn = Counter()
    private let queue: DispatchQueue
    var isCurrent: Bool { false }

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
        let job = job
        if turn.increment() % 3 != 0 { queue.async { job() } }
    }
}

/// Runs a loop whose calls write memory without a lock, and checks what they have written.
private func runRandomLoop(on pool: any LoopingPool, depth: Int, _ generator: inout SeededGenerator) {
    let count = Int.random(in: 0...(depth == 0 ? 300 : 20), using: &generator)
    let tier: QoSTier = Bool.random(using: &generator) ? .default : .utility
    let chunk = Bool.random(using: &generator) ? nil : Int.random(in: 1...10, using: &generator)
    let nesting = depth < 2 ? Int.random(in: 0...40, using: &generator) : 0
    let failing =
        Int.random(in: 0...3, using: &generator) == 0 ? Int.random(in: 0...count, using: &generator) : count
    let work = Int.random(in: 0...300, using: &generator)
    let seed = generator.next()

    var written = [Int](repeating: 0, count: count)
    var thrown: Int?
    written.withUnsafeMutableBufferPointer { buffer in
        nonisolated(unsafe) let buffer = buffer  // each call writes an element of its own
        do {
            try pool.forEach(0..<count, qos: tier, chunk: chunk) { number in
                if number == failing { throw RandomError(number: number) }
                for _ in 0..<work { buffer[number] &+= 1 }
                if nesting > 0, number % nesting == 1 {
                    var generator = SeededGenerator(seed: seed &+ UInt64(number))
                    runRandomLoop(on: pool, depth: depth + 1, &generator)
                }
                buffer[number] = number + 1
            }
        } catch {
            thrown = (error as? RandomError)?.number
        }
    }
    #expect(thrown == (failing < count ? failing : nil))
    let whole = thrown == nil ? count : failing
    for (number, value) in written.enumerated() where value != number + 1 {
        #expect(value == 0 && number >= min(whole, failing), "\(number) of \(count) has \(value)")
    }
}

private struct RandomError: Error { let number: Int }
