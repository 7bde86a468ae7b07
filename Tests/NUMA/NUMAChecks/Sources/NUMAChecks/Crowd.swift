import Dispatch
import Glibc

/// Threads of the checks' own, one on each CPU.
enum Crowd {
    /// Runs `body` on each of the CPUs, on all at once, and returns the results in the order of the CPUs.
    static func run<Result: Sendable>(
        on cpus: [Int], _ body: @escaping @Sendable () throws -> Result
    ) throws -> [Result] {
        let outcomes = cpus.map { _ in Outcome<Result>() }
        let (ready, start) = (DispatchGroup(), DispatchSemaphore(value: 0))
        var threads: [pthread_t] = []
        for (cpu, outcome) in zip(cpus, outcomes) {
            ready.enter()
            let thread = try makeThread {
                outcome.set {
                    let confinement = Swift.Result { try CurrentThread.confine(to: [cpu]) }
                    ready.leave()
                    start.wait()
                    try confinement.get()
                    return try body()
                }
            }
            threads.append(thread)
        }
        ready.wait()
        for _ in cpus { start.signal() }
        for thread in threads { pthread_join(thread, nil) }
        return try outcomes.map { try $0.get() }
    }

    private static func makeThread(_ body: @escaping @Sendable () -> Void) throws(KernelError) -> pthread_t {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { box in
                Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if error != 0 { box.release() }
        try KernelError.check(error, "pthread_create")
        return thread
    }
}
