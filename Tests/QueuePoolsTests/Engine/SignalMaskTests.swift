#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Which signals the pool's threads block. Each test runs in a process of its own, on its first thread.
    @Suite("Signals that threads block", .timeLimit(.minutes(15)))
    struct SignalMaskTests {
        @Test("what the first thread blocks after the first pool was made, as system() does, threads do not")
        func laterBlocked() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    block([SIGUSR1])
                    let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                    block([SIGUSR1, SIGCHLD])
                    let found = try pool.queue(for: .utility).runOnThread { blockedSignals() }
                    check(found == [SIGUSR1], "\(found)")
                }
            }
        }

        @Test("threads block what both the first thread and the one that made the first pool block")
        func madeByOther() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    let found = masksOfThreads(first: [SIGCHLD, SIGTERM], maker: [SIGTERM, SIGUSR1])
                    check(found == [SIGTERM], "\(found)")
                }
            }
        }

        @Test("threads do not block all signals because the first thread is in a call that does")
        func allBlocked() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    let found = masksOfThreads(first: Array(1...31), maker: [SIGTERM])
                    check(found == [SIGTERM], "\(found)")
                }
            }
        }
    }

    /// What a pool's thread blocks whose pool another thread makes, while the calling one waits.
    private func masksOfThreads(first: [Int32], maker: [Int32]) -> [Int32] {
        block([])
        let (isBlocked, found) = (DispatchSemaphore(value: 0), Recorder<[Int32]>())
        let isFound = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            block(maker)
            isBlocked.wait()
            do {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                found.append(try pool.queue(for: .utility).runOnThread { blockedSignals() })
            } catch { fatalError("\(error)") }
            isFound.signal()
        }
        block(first, all: first.count == 31)
        isBlocked.signal()
        isFound.wait()
        block([])
        return found.elements[0]
    }

    /// Has the calling thread block these signals only.
    private func block(_ signals: [Int32], all isFull: Bool = false) {
        var mask = sigset_t()
        if isFull { sigfillset(&mask) } else { sigemptyset(&mask) }
        for signal in signals { sigaddset(&mask, signal) }
        check(pthread_sigmask(SIG_SETMASK, &mask, nil) == 0)
    }

    private func blockedSignals() -> [Int32] {
        var mask = sigset_t()
        check(pthread_sigmask(SIG_BLOCK, nil, &mask) == 0)
        return (1...31).filter { sigismember(&mask, $0) == 1 }
    }
#endif
