import Foundation

/// The threads that this process has now, on Linux; nil elsewhere.
package func processThreadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

/// How many threads of this process have names that begin so, on Linux. Others, which come and go as the
/// system's libraries please, do not count.
package func threadCount(named prefix: String) -> Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.count { name(ofThread: $0)?.hasPrefix(prefix) ?? false }
}

/// Nil for a thread that has ended.
private func name(ofThread thread: String) -> String? { read("comm", ofThread: thread) }

/// Nil for a thread that has ended. Not read by Foundation, which leaks its buffer when a thread ends between
/// the opening and the reading of its file.
private func read(_ name: String, ofThread thread: String) -> String? {
    guard let file = fopen("/proc/self/task/\(thread)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&bytes, 1, bytes.count, file)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

/// Waits until no other thread of this process runs, on Linux. A thread that runs may hold a lock of Swift's
/// runtime, which would then be locked forever in a child that is forked.
///
/// Threads are looked at one after the other, and one may wake another meanwhile. All sleep at one time if
/// none has been switched to between two looks. A thread that sleeps by the clock is one of Thread
/// Sanitizer's, which runs no Swift, and wakes ten times a second: on a slow machine once in each pair of
/// looks.
package func waitForOtherThreadsToSleep() {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let own = link?.split(separator: "/").last.map(String.init)
    var former: [String: [Substring]]?
    while true {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        var switches: [String: [Substring]] = [:]
        let areAsleep = threads.allSatisfy { thread in
            guard thread != own, let status = read("status", ofThread: thread) else { return true }
            let lines = status.split(separator: "\n")
            if read("wchan", ofThread: thread) == "hrtimer_nanosleep" { return true }
            switches[thread] = lines.filter { $0.contains("voluntary_ctxt_switches:") }
            return lines.contains { $0.hasPrefix("State:\tS") }
        }
        if areAsleep, switches == former { return }
        former = areAsleep ? switches : nil
        usleep(1_000)
    }
}
