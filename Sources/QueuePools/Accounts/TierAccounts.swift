/// What all queues of a tier count together.
final class TierAccounts: Sendable {
    let waits = TimeHistogram()
    /// Nil if any number of jobs may wait.
    let capacity: JobCapacity?
    let observation: JobObservation?

    init(capacity: Int? = nil, observation: JobObservation? = nil) {
        self.capacity = capacity.map { JobCapacity($0) }
        self.observation = observation
    }
}
