import Dispatch
import Foundation
import Synchronization

/// Kills a program that has not been waited for when its time is up, so that one that hangs fails a test and
/// does not hang it: a loop that has lost its wake-ups does not see its own `--quit-after` either.
final class Watchdog: Sendable {
    private let id: pid_t
    private let ended = DispatchSemaphore(value: 0)

    /// Whether the program has been waited for. Its number may be another process's then.
    private let isOver = Mutex(false)

    /// Watches a child of this process from a thread of its own.
    init(_ id: pid_t, after limit: Duration) {
        self.id = id
        Thread.detachNewThread { [self] in
            guard ended.wait(timeout: .now() + limit / .seconds(1)) == .timedOut else { return }
            isOver.withLock { isOver in
                if !isOver { kill(id, SIGKILL) }
            }
        }
    }

    /// Waits until the program has ended, and gives the word that `waitpid` says. To be called once.
    func wait() -> Int32 {
        // Leaves it its number: it may be killed while this waits.
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        var word: Int32 = 0
        isOver.withLock { isOver in
            while waitpid(id, &word, 0) < 0, errno == EINTR {}
            isOver = true
        }
        ended.signal()
        return word
    }
}
