#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Which signals the pool's threads block. Each test runs in a process of its own, and makes its first
    /// pool.
    @Suite("Signals that threads block", .timeLimit(.minutes(15)))
    struct SignalMaskTests {
        #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
            @Test(
                "threads block what the thread that made the first pool blocked then, which may be all signals",
                arguments: [[SIGUSR1, SIGTERM], Array(1...31)])
            func inherited(signals: [Int32]) async {
                await #expect(processExitsWith: .success) { [signals] in
                    let (found, isFound) = (Recorder<[Int32]>(), DispatchSemaphore(value: 0))
                    Thread.detachNewThread {
                        block(signals)
                        do {
                            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                            block([SIGCHLD])
                            found.append(try pool.queue(for: .utility).runOnThread { blockedSignals() })
                        } catch { fatalError("\(error)") }
                        isFound.signal()
                    }
                    isFound.wait()
                    let expected = signals.filter { ![SIGKILL, SIGSTOP].contains($0) }
                    check(found.elements == [expected], "\(found.elements)")
                }
            }
        #endif

        @Test("a process that a job starts can be ended, also if a thread of Dispatch made the first pool")
        func startedProcess() async {
            await #expect(processExitsWith: .success) {
                let (pools, isMade) = (Recorder<WorkerQueuePool>(), DispatchSemaphore(value: 0))
                DispatchQueue.global().async {
                    check(blockedSignals().contains(SIGTERM), "Dispatch blocks no signals")
                    if let pool = try? WorkerQueuePool(label: "p", queuesPerTier: .exactly(1)) {
                        pools.append(pool)
                    }
                    isMade.signal()
                }
                isMade.wait()
                let status = try pools.elements[0].queue(for: .utility).runOnThread {
                    check(blockedSignals() == [], "\(blockedSignals())")
                    let arguments = [strdup("sleep"), strdup("60"), nil]
                    defer { for argument in arguments { free(argument) } }
                    var (process, status) = (pid_t(), Int32(-1))
                    check(posix_spawnp(&process, "sleep", nil, nil, arguments, nil) == 0)
                    kill(process, SIGTERM)
                    waitpid(process, &status, 0)
                    return status
                }
                check(status == SIGTERM, "the process ended with \(status)")
            }
        }
    }

    /// Has the calling thread block these signals only.
    private func block(_ signals: [Int32]) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        check(pthread_sigmask(SIG_SETMASK, &mask, nil) == 0)
    }

    private func blockedSignals() -> [Int32] {
        var mask = sigset_t()
        check(pthread_sigmask(SIG_BLOCK, nil, &mask) == 0)
        return (1...31).filter { sigismember(&mask, $0) == 1 }
    }
#endif
