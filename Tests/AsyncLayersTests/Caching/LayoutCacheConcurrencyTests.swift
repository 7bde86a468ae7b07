import Dispatch
import Foundation
import QueuePoolsSentinels
import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Layout cache, used by several threads", .timeLimit(.minutes(15)))
struct LayoutCacheConcurrencyTests {
    typealias Cache = LayoutCache<String, String>

    static func cache() -> Cache { Cache { _, layout in layout.utf8.count } }

    /// thread 1: makes A, held at the gate     thread 2: asks for A, waits, gets what thread 1 made
    @Test("a layout that another thread is making is waited for, not made twice")
    func waitsForOther() {
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let first = onThread {
            results.append(
                cache.layout(for: "A", width: 10) { _ in
                    gate.pass()
                    return "first"
                })
        }
        gate.waitForArrivals()
        let second = onThread { results.append(cache.layout(for: "A", width: 10) { _ in "second" }) }
        until { cache.statistics.waits == 1 }
        #expect(results.elements == [])
        #expect(cache.cached(for: "A", width: 10) == nil)
        gate.open()
        first.wait()
        second.wait()
        #expect(results.elements == ["first", "first"])
        #expect(cache.statistics.misses == 2)
    }

    @Test("when a maker fails, one of the waiting threads makes the layout, and the others get it")
    func failureHandsOn() {
        struct NoFont: Error {}
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let failing = onThread {
            do throws(NoFont) {
                _ = try cache.layout(for: "A", width: 10) { _ throws(NoFont) in
                    gate.pass()
                    throw NoFont()
                }
            } catch {
                results.append("failed")
            }
        }
        gate.waitForArrivals()
        let made = Counter()
        let others = (0..<5).map { _ in
            onThread {
                results.append(
                    cache.layout(for: "A", width: 10) { _ in
                        made.increment()
                        return "made"
                    })
            }
        }
        until { cache.statistics.waits == 5 }
        gate.open()
        failing.wait()
        for other in others { other.wait() }
        #expect(made.value == 1)
        #expect(results.elements.sorted() == ["failed", "made", "made", "made", "made", "made"])
    }

    /// thread 1: makes A, held at the gate ─────────────────────────────── ends A
    /// thread 2:        asks for A, waits, is cancelled: ends without it
    /// thread 3:               asks for A, waits ───────────────────────── gets A
    @Test("a cancelled caller stops waiting for a layout, and the others get it")
    func cancelledWaiter() {
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let first = onThread {
            _ = cache.layout(for: "A", width: 10) { _ in
                gate.pass()
                return "first"
            }
        }
        gate.waitForArrivals()
        let sentinel = Sentinel()
        let ticket = sentinel.ticket()
        func waiter(_ isCancelled: @escaping @Sendable () -> Bool) -> RunningThread {
            onThread {
                do {
                    results.append(
                        try cache.layout(for: "A", width: 10, isCancelled: isCancelled) { _ in "own" })
                } catch {
                    results.append(error is CancellationError ? "cancelled" : "\(error)")
                }
            }
        }
        let (cancelled, patient) = (waiter { ticket.isCancelled }, waiter { false })
        until { cache.statistics.waits == 2 }
        sentinel.increase()
        cancelled.wait()
        #expect(results.elements == ["cancelled"])
        gate.open()
        first.wait()
        patient.wait()
        #expect(results.elements == ["cancelled", "first"])
    }

    /// thread 1: makes A, held at the gate ── is cancelled, throws
    /// thread 2:        asks for A, waits ───────────────────────── makes A itself
    @Test("when a maker is cancelled, one of the waiting threads makes the layout")
    func cancelledMaker() {
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let first = onThread {
            do {
                _ = try cache.layout(for: "A", width: 10, isCancelled: { false }) { _ in
                    gate.pass()
                    throw CancellationError()
                }
            } catch {
                results.append(error is CancellationError ? "cancelled" : "\(error)")
            }
        }
        gate.waitForArrivals()
        let second = onThread {
            results.append(
                (try? cache.layout(for: "A", width: 10, isCancelled: { false }) { _ in "own" }) ?? "none")
        }
        until { cache.statistics.waits == 1 }
        gate.open()
        first.wait()
        second.wait()
        #expect(results.elements.sorted() == ["cancelled", "own"])
        #expect(cache.cached(for: "A", width: 10) == "own")
    }

    @Test(
        "a cancelled caller gets a layout that is kept, and none is made for it")
    func cancelledBefore() throws {
        let cache = Self.cache()
        #expect(throws: CancellationError.self) {
            try cache.layout(for: "A", width: 10, isCancelled: { true }) { _ in throw CancellationError() }
        }
        _ = cache.layout(for: "A", width: 10) { _ in "made" }
        #expect(try cache.layout(for: "A", width: 10, isCancelled: { true }) { _ in "own" } == "made")
    }

    @Test("a layout that is too large to keep still reaches the threads that wait for it")
    func oversizedReachesWaiters() {
        let cache = Cache(byteLimit: 0) { _, layout in layout.utf8.count }
        let (gate, results) = (Gate(), Recorder<String>())
        let first = onThread {
            _ = cache.layout(for: "A", width: 10) { _ in
                gate.pass()
                return "first"
            }
        }
        gate.waitForArrivals()
        let second = onThread { results.append(cache.layout(for: "A", width: 10) { _ in "second" }) }
        until { cache.statistics.waits == 1 }
        gate.open()
        first.wait()
        second.wait()
        #expect(results.elements == ["first"])
    }

    @Test("after removing all, no caller gets what was begun before, and it is not kept")
    func removedWhileMade() {
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let old = onThread {
            results.append(
                cache.layout(for: "A", width: 10) { _ in
                    gate.pass()
                    return "old"
                })
        }
        gate.waitForArrivals()
        cache.removeAll()
        #expect(cache.layout(for: "A", width: 10) { _ in "new" } == "new")
        gate.open()
        old.wait()
        #expect(results.elements == ["old"])
        #expect(cache.cached(for: "A", width: 10) == "new")
        #expect(cache.statistics.bytes == 3)
    }

    /// thread 1: makes A ─────────── waits for B ─────────── gets B, ends A
    /// thread 2:        makes B, held at the gate ── ends B
    /// thread 3:                        waits for A ─────────────────── gets A
    @Test("makers may wait for each other as long as they do not do so in a cycle")
    func chain() {
        let (cache, gate, results) = (Self.cache(), Gate(), Recorder<String>())
        let second = onThread {
            _ = cache.layout(for: "B", width: 10) { _ in
                gate.pass()
                return "b"
            }
        }
        gate.waitForArrivals()
        let first = onThread {
            _ = cache.layout(for: "A", width: 10) { _ in
                "a" + cache.layout(for: "B", width: 10) { _ in "never" }
            }
        }
        until { cache.statistics.waits == 1 }
        let third = onThread { results.append(cache.layout(for: "A", width: 10) { _ in "never" }) }
        until { cache.statistics.waits == 2 }
        gate.open()
        for thread in [first, second, third] { thread.wait() }
        #expect(results.elements == ["ab"])
    }

    @Test("a maker that asks for its own layout stops the program with a message")
    func recursion() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cache = LayoutCacheConcurrencyTests.cache()
            _ = cache.layout(for: "A", width: 10) { width in
                cache.layout(for: "B", width: width) { width in
                    cache.layout(for: "A", width: width) { _ in "A" }
                }
            }
        }
        let message = try #require(result).message
        #expect(message.contains("needs that very layout"))
    }

    /// thread 1: makes A ── waits for B
    /// thread 2: makes B, in another cache ── would wait for A
    @Test("makers that wait for each other in a cycle stop the program, across caches too")
    func cycle() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, other) = (LayoutCacheConcurrencyTests.cache(), LayoutCacheConcurrencyTests.cache())
            let (gateOne, gateOther) = (Gate(), Gate())
            let first = onThread {
                _ = one.layout(for: "A", width: 10) { width in
                    gateOne.pass()
                    return other.layout(for: "B", width: width) { _ in "b" }
                }
            }
            let second = onThread {
                _ = other.layout(for: "B", width: 10) { width in
                    gateOther.pass()
                    return one.layout(for: "A", width: width) { _ in "a" }
                }
            }
            await gateOne.waitForArrivals()
            await gateOther.waitForArrivals()
            gateOne.open()
            until { other.statistics.waits == 1 }
            gateOther.open()
            first.wait()
            second.wait()
        }
        let message = try #require(result).message
        #expect(message.contains("needs that very layout"))
    }

    /// Every layout is made of smaller ones, so that threads often wait for each other.
    @Test("under load each layout is made once and comes out right", arguments: [1, 2, 3] as [UInt64])
    func load(seed: UInt64) {
        let cache = LayoutCache<Int, Int> { _, _ in 1 }
        let made = Recorder<Int>()
        @Sendable func sum(_ number: Int) -> Int {
            cache.layout(for: number, width: 10) { _ in
                made.append(number)
                return number == 0 ? 0 : number + sum(number - 1) + sum(number / 2)
            }
        }
        var expected = [0]
        for number in 1..<200 { expected.append(number + expected[number - 1] + expected[number / 2]) }
        let threads = (0..<4).map { thread in
            onThread { [expected] in
                var generator = SeededGenerator(seed: seed &* 4 &+ UInt64(thread))
                for _ in 0..<2_000 {
                    let number = Int.random(in: 0..<200, using: &generator)
                    #expect(sum(number) == expected[number])
                }
            }
        }
        for thread in threads { thread.wait() }
        #expect(made.elements.count == Set(made.elements).count)
        #expect(cache.statistics.misses == made.elements.count)
    }
}

/// A thread of its own: what blocks in it does not hold up the test runner's threads.
private func onThread(_ body: @escaping @Sendable () -> Void) -> RunningThread {
    let running = RunningThread()
    Thread.detachNewThread {
        body()
        running.ended.signal()
    }
    return running
}

private struct RunningThread: Sendable {
    let ended = DispatchSemaphore(value: 0)

    func wait() { ended.wait() }
}

/// Lets other threads run until something that they do has happened: the cache counts waiting threads, and
/// has no callback for them.
private func until(_ condition: () -> Bool) {
    while !condition() { sched_yield() }
}
