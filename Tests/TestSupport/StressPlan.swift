import Foundation

/// How much the stress tests do, and from which seed.
///
/// `STRESS_SCALE` multiplies the work (default 1; 100 makes 10⁶ passes); `STRESS_SEED` chooses the random
/// sequence (default 1). A failure is repeated with the same two, as far as threads allow.
package enum StressPlan {
    package static let scale = max(1, environment("STRESS_SCALE") ?? 1)
    package static let seed = UInt64(max(0, environment("STRESS_SEED") ?? 1))

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }
}
