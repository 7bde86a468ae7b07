import QueuePools

/// Whether a submission is refused because as many jobs wait as may.
func isFull(_ submit: () throws -> Void) -> Bool {
    do {
        try submit()
        return false
    } catch {
        return (error as? PoolError)?.code == .full
    }
}
