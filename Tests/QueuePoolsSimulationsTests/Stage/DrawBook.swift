import QueuePools
import TestSupport

@testable import AsyncLayers

/// Which draws wait, since when, as each drawing thread and the main thread see it.
final class DrawBook: @unchecked Sendable {  // of a `VirtualMachine`, where one thread runs at a time
    private struct Entry {
        /// When the oldest request was made that no draw has begun for.
        var requestedAt: Duration?
        /// Since when the layer has been free to draw that.
        var waitsSince: Duration?
        var tier = QoSTier.userInitiated
        /// True if it may have lost its place: it gave way to a newcomer, was moved, or needs more memory
        /// than before.
        var isExcused = false
        var runningCount = 0
    }

    private var entries: [String: Entry] = [:]
    /// Whose draw a job of the pool is.
    private var jobs: [Int: String] = [:]
    private(set) var violations: [String] = []
    private(set) var drawCount = 0
    private(set) var waitCount = 0

    func requested(_ name: String, on tier: QoSTier, isExcused: Bool, at now: Duration) {
        var entry = entries[name, default: Entry()]
        if entry.requestedAt == nil {
            (entry.requestedAt, entry.isExcused) = (now, false)
            if entry.runningCount == 0 { entry.waitsSince = now }
        }
        entry.tier = tier
        if isExcused { entry.isExcused = true }
        entries[name] = entry
    }

    /// A layer that shows nothing of what it is for has made a request: what has waited for long gives way.
    func newcomerCame(_ name: String, demotionDelay: Duration, at now: Duration) {
        for other in entries.keys where other != name {
            if let since = entries[other]?.requestedAt, now - since >= demotionDelay {
                entries[other]?.isExcused = true
            }
        }
    }

    func excuse(_ name: String) { entries[name]?.isExcused = true }

    /// The request was served, or taken back.
    func forget(_ name: String) {
        entries[name]?.requestedAt = nil
        entries[name]?.waitsSince = nil
    }

    /// A closure of a layer's draw begins: the first, or that of another layer which is drawn into the same
    /// picture.
    func drawBegan(_ name: String, on tier: QoSTier, job: Int, at now: Duration) {
        guard jobs.updateValue(name, forKey: job) == nil else { return }
        drawCount += 1
        if let since = entries[name]?.requestedAt {
            if let waited = entries[name]?.waitsSince, waited < now { waitCount += 1 }
            for (other, entry) in entries where other != name && !entry.isExcused && entry.tier >= tier {
                guard let older = entry.waitsSince, older < since, violations.count < 5 else { continue }
                violations.append(
                    "\(now): \(name), asked for at \(since), is drawn before \(other), which waits since \(older)"
                )
            }
        }
        forget(name)
        entries[name]?.runningCount += 1
    }

    func jobEnded(_ job: Int, at now: Duration) {
        guard let name = jobs.removeValue(forKey: job), var entry = entries[name] else { return }
        entry.runningCount -= 1
        if entry.runningCount == 0, entry.requestedAt != nil, entry.waitsSince == nil {
            entry.waitsSince = now
        }
        entries[name] = entry
    }

    func remove(_ name: String) { entries[name] = nil }
}
