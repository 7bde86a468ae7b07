import CPlacement

/// The calling thread, as the kernel sees it.
enum CurrentThread {
    /// The node of the CPU that the thread runs on.
    static func node() throws(KernelError) -> Int { Int(try current().node) }

    /// The CPU that the thread runs on.
    static func cpu() throws(KernelError) -> Int { Int(try current().cpu) }

    /// The CPUs that the thread may run on.
    static func affinity() throws(KernelError) -> Set<Int> {
        var mask = NumberMask()
        try KernelError.check(cplacement_get_affinity(mask.byteCount, &mask.words), "sched_getaffinity")
        return mask.numbers
    }

    /// Moves the thread to these CPUs; it runs there when this returns.
    static func confine(to cpus: some Sequence<Int>) throws(KernelError) {
        let mask = NumberMask(cpus)
        try KernelError.check(cplacement_set_affinity(mask.byteCount, mask.words), "sched_setaffinity")
    }

    /// Runs `body` with the thread confined to one CPU, and lets the thread go where it could before.
    static func on<Result>(cpu: Int, _ body: () throws -> Result) throws -> Result {
        let before = try affinity()
        try confine(to: [cpu])
        let result: Swift.Result<Result, any Error> = .init { try body() }
        try confine(to: before)
        return try result.get()
    }

    private static func current() throws(KernelError) -> (cpu: UInt32, node: UInt32) {
        var (cpu, node) = (UInt32(0), UInt32(0))
        try KernelError.check(cplacement_current(&cpu, &node), "getcpu")
        return (cpu, node)
    }
}

/// What a thread says of itself from within.
struct ThreadFacts: Sendable {
    var affinity: Set<Int>
    var cpu: Int
    var node: Int

    /// Those of the calling thread.
    static func current() throws(KernelError) -> ThreadFacts {
        ThreadFacts(
            affinity: try CurrentThread.affinity(), cpu: try CurrentThread.cpu(),
            node: try CurrentThread.node())
    }
}
