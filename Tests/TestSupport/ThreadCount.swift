import Foundation

/// The threads that this process has now, on Linux; nil elsewhere.
package func processThreadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}
