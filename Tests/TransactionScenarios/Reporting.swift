import Foundation

/// Prints a line for the test that started this program.
package func report(_ line: String) { print(line) }

/// Ends the program; what was reported is written out.
package func finish() -> Never { exit(0) }

/// Ends the program with an error after a minute, so that a lost flush fails a test and does not hang it.
package func startWatchdog() {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 60)
        print("timed out")
        fflush(nil)
        _exit(2)
    }
}

/// Ends the program because its arguments make no sense.
package func failUsage() -> Never {
    print("usage: \(CommandLine.arguments[0]) LOOP SCENARIO")
    exit(64)
}

/// Something to commit transactions for; tells when it is released.
package final class Target: Sendable {
    private let onRelease: @Sendable () -> Void

    package init(onRelease: @escaping @Sendable () -> Void = {}) { self.onRelease = onRelease }

    deinit { onRelease() }
}

extension Duration {
    /// Whole microseconds, rounded up.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + (components.attoseconds + 999_999_999_999) / 1_000_000_000_000
    }
}

/// Pages of memory in use, on Linux; 0 elsewhere.
func residentPages() -> Int {
    let fields =
        (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
}
