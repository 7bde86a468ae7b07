import Foundation

enum ResidentMemory {
    /// What the process occupies now; not a number where the system does not tell.
    static var mebibytes: Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return (pages ?? .nan) * Double(getpagesize()) / 1_048_576
    }
}
