import Foundation

/// The threads that this process has now, on Linux; nil elsewhere.
package func processThreadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

/// How many threads of this process have names that begin so, on Linux. Others, which come and go as the
/// system's libraries please, do not count.
package func threadCount(named prefix: String) -> Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = threads.compactMap {
        try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    return names.count { $0.hasPrefix(prefix) }
}
