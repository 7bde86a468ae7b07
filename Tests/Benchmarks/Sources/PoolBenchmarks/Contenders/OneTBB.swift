import BenchmarkHarness
import COneTBB
import QueuePools

/// Intel's oneTBB: `task_arena::enqueue`, an arena for each tier. The timed loop is in C++, see `COneTBB`.
///
/// Its arenas know three priorities: low (background and utility), normal, high.
final class OneTBB: Contender {
    /// The version, or nil where the package was built without it.
    static var version: String? { onetbb_version().map { String(cString: $0) } }

    private nonisolated(unsafe) let pool: OpaquePointer  // never changes; thread-safe

    init(workers: Int) throws {
        guard let pool = onetbb_pool_create(Int32(workers)) else {
            throw MeasuringError("built without oneTBB")
        }
        self.pool = pool
    }

    func submit(_ jobs: EmptyJobs) {
        onetbb_pool_count(
            pool,
            onetbb_jobs(
                stripes: jobs.tally.stripes, first: Int64(jobs.numbers.lowerBound),
                end: Int64(jobs.numbers.upperBound), tiers: jobs.tiers.rawValues,
                tier_mask: Int64(jobs.tiers.mask)))
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        onetbb_pool_run(
            pool, Int32(tier.rawValue), { Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run() }, context
        )
    }

    func shutDown() {
        onetbb_pool_destroy(pool)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
