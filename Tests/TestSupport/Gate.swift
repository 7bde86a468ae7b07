import Dispatch
import Synchronization

/// A door that test jobs wait at until the test opens it; it stays open. *Thread-safe.*
///
/// Tests hold jobs still with gates instead of guessing how long something takes.
package final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let arrived = DispatchSemaphore(value: 0)

    package init() {}

    /// Announces itself, then waits until the gate is open. Not on a thread of Swift's own executor: there
    /// are as many of these as cores, and other tests need them.
    package func pass() {
        arrived.signal()
        opened.wait()
        opened.signal()
    }

    /// Lets all callers of ``pass()`` through, now and later.
    package func open() {
        opened.signal()
    }

    /// Waits until this many callers of ``pass()`` have arrived.
    @available(*, noasync)
    package func waitForArrivals(_ count: Int = 1) {
        for _ in 0..<count { arrived.wait() }
    }

    /// Waits until this many callers of ``pass()`` have arrived, and blocks no thread: they may need this one
    /// to come.
    package func waitForArrivals(_ count: Int = 1) async {
        for _ in 0..<count {
            await waitWhile(!hasArrival())
        }
    }

    private func hasArrival() -> Bool { arrived.wait(timeout: .now()) == .success }
}
