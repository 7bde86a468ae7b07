import BenchmarkHarness
import CMeasuring
import Dispatch
import Foundation
import Synchronization

/// Finds out how many threads a contender has while its jobs run.
///
/// A thread counts if it ran one of the jobs, or came into being while they ran. Threads that were there
/// before and did nothing belong to other contenders.
final class ThreadCensus: Sendable {
    private struct Findings {
        var workers: Set<UInt64> = []
        var looks: [Set<UInt64>] = []
        var isOver = false
    }

    private let findings = Mutex(Findings())
    private let finished = DispatchSemaphore(value: 0)

    /// Notes the calling thread as one that runs jobs. Called by each job.
    func noteWorker() {
        let thread = measuring_thread_id()
        _ = findings.withLock { $0.workers.insert(thread) }
    }

    /// The most threads that were there at once while `body` ran, looking about once a millisecond.
    func peak(during body: () throws -> Void) rethrows -> Int {
        let began = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            look()
            began.signal()
            while !findings.withLock({ $0.isOver }) {
                Clock.sleep(microseconds: 1_000)
                look()
            }
            finished.signal()
        }
        began.wait()
        defer {
            findings.withLock { $0.isOver = true }
            finished.wait()
        }
        try body()
        look()
        return findings.withLock { findings in
            let bystanders = findings.looks[0].subtracting(findings.workers)
            let peak = findings.looks.map { $0.subtracting(bystanders).count }.max() ?? 0
            // Where the system does not list threads, those that ran jobs are all that is known.
            return max(peak, findings.looks[0].isEmpty ? findings.workers.count : 0)
        }
    }

    private func look() {
        let threads = ThreadCensus.threads()
        findings.withLock { $0.looks.append(threads) }
    }

    private static func threads() -> Set<UInt64> {
        #if os(Linux)
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            return Set((names ?? []).compactMap { UInt64($0) })
        #else
            return []
        #endif
    }
}
