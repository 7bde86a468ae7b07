import Dispatch
import Foundation
import TestSupport
import Testing

@testable import QueuePools

/// Loops that tasks call, and await.
extension LoopTests {
    @Test("an awaited loop calls each number once on the pool, and throws what a call throws")
    func awaited() async throws {
        let pool = try makePool(2)
        let calls = Calls(1_000)
        try await pool.run(forEach: 0..<1_000) { number in
            if pool.isCurrent(on: .default) || pool.isCurrent(on: .userInitiated) { calls.note(number) }
        }
        #expect(calls.areOneEach)
        await #expect(throws: Stop(number: 3)) {
            try await pool.run(forEach: 0..<1_000, qos: .utility) { if $0 == 3 { throw Stop(number: 3) } }
        }
        try await pool.shutdown()
        await #expect { try await pool.run(forEach: 0..<1) { _ in } } throws: {
            ($0 as? PoolError)?.code == .shutDown
        }
    }

    @Test("cancelling its task ends an awaited loop when the calls that have begun return")
    func cancelled() async throws {
        let pool = try makePool(2)
        let (gate, begun, ended) = (Gate(), Counter(), Counter())
        let task = Task {
            try await pool.run(forEach: 0..<1_000_000, qos: .default, chunk: 1) { _ in
                begun.increment()
                gate.pass()
                ended.increment()
            }
        }
        await gate.waitForArrivals(2)
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(begun.value == 2)
        #expect(ended.value == 2)
    }

    private enum Locals {
        @TaskLocal static var number = 0
    }

    @Test("in a task, no call sees the task: neither its values nor its cancellation")
    func withoutTask() async throws {
        let task = Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            try Locals.$number.withValue(1) {
                // A new one, which does not expect short loops.
                let pool = try makePool(2)
                let (meeting, seen) = (Meeting(of: 2), Counter())
                pool.forEach(0..<10, qos: .default, chunk: 1) { number in
                    if number < 2 { meeting.join() }
                    if Locals.number == 0, !Task.isCancelled { seen.increment() }
                }
                #expect(seen.value == 10)
                for _ in 0..<10 {
                    pool.forEach(0..<10, qos: .default) { _ in
                        if Locals.number == 0, !Task.isCancelled { seen.increment() }
                    }
                }
                #expect(seen.value == 110)
                #expect(Locals.number == 1 && Task.isCancelled)
                MainActor.preconditionIsolated()
            }
        }
        try await task.value
    }

    @Test("outside of tasks, no call sees values that the caller has bound", arguments: [false, true])
    func withoutValues(isJob: Bool) async throws {
        let pool = try makePool(2)
        let seen = Counter()
        let loop = { @Sendable in
            Locals.$number.withValue(1) {
                let meeting = Meeting(of: 2)
                pool.forEach(0..<10, qos: .default, chunk: 1) { number in
                    if number < 2 { meeting.join() }
                    if Locals.number == 0 { seen.increment() }
                }
                #expect(Locals.number == 1)
            }
        }
        if isJob {
            try await pool.start(qos: .utility, loop).value
        } else {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    loop()
                    continuation.resume()
                }
            }
        }
        #expect(seen.value == 10)
    }

    @Test("without a class, a loop has its caller's: the job's, or else the task's, or the default one")
    func callersClass() async throws {
        let pool = try makePool(2)
        #expect(try await pool.run(qos: .utility) { QoSTier.ofCaller } == .utility)
        // Escalated where it is awaited, so at least.
        #expect(await Task(priority: .high) { QoSTier.ofCaller }.value >= .userInitiated)
        let found = Recorder<QoSTier>()
        let thread = Thread { found.append(.ofCaller) }
        thread.start()
        await waitWhile(found.elements.isEmpty)
        #expect(found.elements == [.default])
        let calls = Calls(100)
        pool.forEach(0..<100) { calls.note($0) }
        pool.forEachChunk(of: 0..<100, chunk: 7) { #expect($0.count <= 7) }
        #expect(calls.areOneEach)
    }

    @Test("in a task, loops are nested, and the error of a call is thrown")
    func nestedInTask() async throws {
        let pool = try makePool(2)
        let calls = Calls(100)
        await Task {
            _ = #expect(throws: Stop(number: 99)) {
                try pool.forEach(0..<10, qos: .default, chunk: 1) { first in
                    try pool.forEach(0..<10, qos: .utility, chunk: 1) { second in
                        calls.note(10 * first + second)
                        if first == 9, second == 9 { throw Stop(number: 99) }
                    }
                }
            }
        }.value
        #expect(calls.areOneEach)
    }
}

extension QueuePool {
    /// Whether the caller is on a thread of a tier.
    fileprivate func isCurrent(on tier: QoSTier) -> Bool { withPartition(of: tier) { $0.isCurrent } }
}
