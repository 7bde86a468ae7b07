import BenchmarkHarness
import CMeasuring
import Dispatch
import QueuePools
import Synchronization

/// What does it cost to select a queue, against an atomic increment and nothing else?
struct QueueSelection: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]

    static let oneThread = QueueSelection(
        Metric(
            "selection-1-thread", unit: "ns/selection",
            summary: "One thread asks for the next queue of a tier."),
        threads: 1)

    static let contended = QueueSelection(
        Metric(
            "selection-contended", unit: "ns/selection",
            summary:
                "Four threads ask for the next queue of the same tier: wall time divided by all selections."),
        threads: 4)

    private init(_ metric: Metric, threads: Int) {
        metrics = [metric]
        let pools = Roster.pools.map { pool in
            Trial(pool.name, threads: pool.threads) { scale in
                QueueSelection.session(try pool.selectQueues(scale.workers), threads: threads, scale)
            }
        }
        let byHand = Trial("DispatchQueues by hand", threads: .dispatchSerial) { scale in
            let tier = DispatchQueuesByHand.Tier(.default, count: scale.workers)
            return QueueSelection.session({ tier.selectQueues($0) }, threads: threads, scale)
        }
        let bare = Trial("atomic increment", threads: .own) { scale in
            let counter = BareCounter()
            return QueueSelection.session({ counter.increment(times: $0) }, threads: threads, scale)
        }
        trials = pools + [byHand, bare]
    }

    private static func session(
        _ selectQueues: @escaping @Sendable (Int) -> Void, threads: Int, _ scale: Scale
    ) -> Session {
        let count = scale.pick(quick: 1_000_000, full: 4_000_000)
        return Session(measure: {
            let (start, end) = Producers.run(threads) {
                selectQueues(Producers.share($0, of: count, among: threads).count)
            }
            return [Reading(Double(end - start) / Double(count))]
        })
    }
}

/// The least that any way to take turns can cost: one atomic addition on a counter that is alone on its cache
/// lines.
private final class BareCounter: @unchecked Sendable {  // the counter is atomic, the pointer never changes
    private let counter = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        .bindMemory(to: Atomic<UInt64>.self, capacity: 1)

    init() {
        counter.initialize(to: Atomic(0))
    }

    deinit {
        counter.deinitialize(count: 1)
        counter.deallocate()
    }

    func increment(times count: Int) {
        for _ in 0..<count { measuring_keep(counter.pointee.wrappingAdd(1, ordering: .relaxed).oldValue) }
    }
}

extension DispatchQueuesByHand.Tier {
    fileprivate func selectQueues(_ count: Int) {
        for _ in 0..<count {
            measuring_keep(UInt64(UInt(bitPattern: Unmanaged.passUnretained(next).toOpaque())))
        }
    }
}
