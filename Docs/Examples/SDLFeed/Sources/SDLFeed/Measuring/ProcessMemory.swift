import Foundation

/// The memory of this process that is in use, in MiB, as Linux counts it.
enum ProcessMemory {
    static var resident: Double { field("VmRSS:") }
    static var peakResident: Double { field("VmHWM:") }

    private static func field(_ name: String) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
                Double($0)
            })
        else { return 0 }
        return kibibytes / 1_024
    }
}
