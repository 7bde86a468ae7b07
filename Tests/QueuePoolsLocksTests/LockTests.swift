import QueuePoolsLocks
import Testing

@Suite("Lock", .timeLimit(.minutes(15)))
struct LockTests {
    private final class Shared: Sendable {
        let count = Lock(0)
    }

    @Test("closures run alone: no increment is lost among eight threads")
    func exclusion() async {
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { shared.count.withLock { $0 += 1 } } }
            }
        }
        #expect(shared.count.withLock { $0 } == 80_000)
    }

    private struct Mistake: Error {}

    @Test("a closure that throws leaves the lock open and the value as it was changed")
    func throwing() {
        let shared = Shared()
        #expect(throws: Mistake.self) {
            try shared.count.withLock { (value) throws(Mistake) in
                value = 7
                throw Mistake()
            }
        }
        #expect(shared.count.withLock { $0 } == 7)
    }
}
