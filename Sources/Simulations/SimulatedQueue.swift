public import QueuePools

/// A serial queue of a ``Simulation``'s pool. Its jobs wait until the simulation lets them run, on the thread
/// that it runs on. *Thread-safe*: any thread may submit.
public final class SimulatedQueue: SerialQueue {
    /// `simulation.<tier>.<index>`.
    public let label: String

    /// The tier that the queue belongs to.
    public let tier: QoSTier

    private let agenda: Agenda
    private let index: Int

    init(label: String, tier: QoSTier, agenda: Agenda) {
        self.label = label
        self.tier = tier
        self.agenda = agenda
        index = agenda.addQueue(of: tier)
    }

    /// Puts a job behind those that wait.
    public func enqueue(_ job: @escaping @Sendable () -> Void) { agenda.add(job, to: index, of: tier) }

    /// True within a job of this queue, also where another step happens while the job spends time.
    public var isCurrent: Bool { agenda.isRunning(index, of: tier) }
}
