import QueuePools
import ServiceLifecycle

/// Shuts a pool down with a `ServiceGroup`. Give it to the group before the services that use the pool: the
/// group ends these first.
package struct PoolService: Service {
    let pool: DefaultQueuePool

    package init(pool: DefaultQueuePool) { self.pool = pool }

    /// Waits for the end of the group, then for the jobs that run. If the group is cancelled, as after its
    /// `maximumGracefulShutdownDuration`, the pool takes no more jobs, but running ones are not waited for.
    package func run() async throws {
        try? await gracefulShutdown()
        try await pool.shutdown(waitingJobs: .cancel, runningJobs: .cancel)
    }
}
