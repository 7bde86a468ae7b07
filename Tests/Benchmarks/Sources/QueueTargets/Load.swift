import Dispatch
import Foundation

/// What the queues are given to do.
enum Load: String, CaseIterable {
    /// 1,000 jobs that block.
    case blocking
    /// The rest of the program blocks every thread of the global queues.
    case host
    /// Draws: 2 ms of work, one submitted each millisecond.
    case draws
    /// As many empty jobs as one thread can submit.
    case flood

    var title: String {
        switch self {
        case .blocking: "1,000 blocking jobs: threads"
        case .host: "host blocks the global queues: first job after"
        case .draws: "2 ms draws, one a millisecond: threads"
        case .flood: "flood of empty jobs: threads"
        }
    }

    var counts: [Int] { self == .host ? [4] : [1, 2, 4, 8] }

    func measure(_ queues: [DispatchQueue]) -> String {
        switch self {
        case .blocking: measureBlocking(queues)
        case .host: measureHost(queues)
        case .draws: String(measureDraws(queues))
        case .flood: String(measureFlood(queues))
        }
    }

    private func measureBlocking(_ queues: [DispatchQueue]) -> String {
        let before = threadCount()
        for job in 0..<1_000 { queues[job % queues.count].async { sleep(100) } }
        return String(peakThreads(for: 4) - before)
    }

    private func measureHost(_ queues: [DispatchQueue]) -> String {
        for _ in 0..<200 { DispatchQueue.global(qos: .userInitiated).async { sleep(100) } }
        let arrived = DispatchSemaphore(value: 0)
        let start = now()
        queues[0].async { arrived.signal() }
        guard arrived.wait(timeout: .now() + 10) == .success else { return "over 10 s" }
        return "\((now() - start) / 1_000) µs"
    }

    private func measureDraws(_ queues: [DispatchQueue]) -> Int {
        let before = threadCount()
        let start = now()
        var (peak, job) = (0, 0)
        while now() - start < 4_000_000_000 {
            queues[job % queues.count].async {
                let start = now()
                while now() - start < 2_000_000 {}
            }
            usleep(1_000)
            peak = max(peak, threadCount() - before)
            job += 1
        }
        return peak
    }

    private func measureFlood(_ queues: [DispatchQueue]) -> Int {
        let before = threadCount()
        let start = now()
        var (peak, job) = (0, 0)
        while now() - start < 4_000_000_000 {
            for _ in 0..<4_096 {
                queues[job % queues.count].async {}
                job += 1
            }
            peak = max(peak, threadCount() - before)
            if job % 131_072 == 0 { usleep(2_000) }
        }
        return peak
    }

    private func peakThreads(for seconds: UInt64) -> Int {
        let start = now()
        var peak = 0
        while now() - start < seconds * 1_000_000_000 {
            peak = max(peak, threadCount())
            usleep(1_000)
        }
        return peak
    }
}

func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

func threadCount() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}
