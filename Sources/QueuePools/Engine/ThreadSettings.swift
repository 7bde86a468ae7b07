#if os(Linux)
    import CLinuxThreads
    import Synchronization
    import Topology

    /// How often the kernel refused what a group asked for. *Thread-safe.*
    final class RefusalCount: Sendable {
        private let count = Atomic<Int>(0)

        var value: Int { count.load(ordering: .relaxed) }

        func increment() { count.wrappingAdd(1, ordering: .relaxed) }
    }

    /// What the threads of a group are made with.
    struct ThreadSettings: Sendable {
        /// What the threads' names begin with, before the thread's number.
        var label: String
        /// How many threads there are at most.
        var limit = 1
        /// Whether the last thread stays when it has nothing to do.
        var keepsLast = false
        /// Whether the closures of `sync` run on the thread, rather than on the caller's.
        var runsSyncOnThread = false
        /// Nil leaves the threads as the process is.
        var scheduling: ThreadScheduling?
        /// The CPUs that the threads are confined to, as far as the process may use them; nil confines them to none.
        var cpus: [Int]?
        /// The node to have memory from; nil leaves that to the system.
        var memoryNode: CPUTopology.Node.ID?
        var threads = ThreadConfiguration()
        /// What is noted of the jobs.
        var observation: JobObservation?
        /// Whether a thread yields before it sleeps even if it was woken for a single job. If not, only one
        /// that has had several expects more: for the tier that must be at a processor at once, since yields
        /// are remembered.
        var yieldsAfterSingleJob = true
        /// How long until a thread that the system refused is asked for again, in nanoseconds; then twice as long each
        /// time, up to a second.
        var firstRetry: UInt64 = 10_000_000
        /// Counts what the kernel refuses the threads, and their queues.
        var refusals = RefusalCount()
        /// Makes a thread. Returns 0 or an error number.
        var start: @Sendable (WorkerThread) -> Int32 = { $0.start() }

        func threadLabel(_ index: Int) -> String { limit == 1 ? label : "\(label).\(index)" }

        /// Gives the calling thread its scheduling and its CPUs, as far as the system lets it.
        func applyToCurrentThread() {
            if scheduling?.applyToCurrentThread() == false { refusals.increment() }
            if let cpus, !AffinityMask.confineCurrentThread(to: cpus) { refusals.increment() }
        }
    }
#endif

/// A queue's label cut to what the kernel keeps of a thread's name: 15 bytes.
///
/// The middle is left out, since labels of one pool differ at their ends. No character is cut in two.
func threadName(for label: String) -> String {
    let limit = 15
    guard label.utf8.count > limit else { return label }
    var (head, tail) = ("", "")
    for character in label.prefix(limit) {
        guard head.utf8.count + String(character).utf8.count <= limit / 2 else { break }
        head.append(character)
    }
    for character in label.suffix(limit).reversed() {
        guard head.utf8.count + 1 + tail.utf8.count + String(character).utf8.count <= limit else { break }
        tail.insert(character, at: tail.startIndex)
    }
    return head + "~" + tail
}
