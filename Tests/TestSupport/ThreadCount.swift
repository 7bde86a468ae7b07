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

/// Nil for a thread that has ended. Not read by Foundation, which leaks its buffer when a thread ends between
/// the opening and the reading of its file.
private func name(ofThread thread: String) -> String? {
    guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

/// Waits until no other thread of this process runs, on Linux. A thread that runs may hold a lock of Swift's
/// runtime, which would then be locked forever in a child that is forked.
package func waitForOtherThreadsToSleep() {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let own = link?.split(separator: "/").last.map(String.init)
    while true {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let areAsleep = threads.allSatisfy { thread in
            guard thread != own, let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return true }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 256)
            let line = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
            // After the name, which is in parentheses and may hold any character.
            return line.split(separator: ")").last?.split(separator: " ").first == "S"
        }
        if areAsleep { return }
    }
}
