import AsyncLayers
import Dispatch
import Foundation
import QueuePools
import Synchronization
import Testing

@testable import PoolTraces

@Suite("Trace recorder", .timeLimit(.minutes(15)))
struct TraceRecorderTests {
    private func events(of recorder: TraceRecorder) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(recorder.json().utf8))
        return try #require((document as? [String: Any])?["traceEvents"] as? [[String: Any]])
    }

    /// A clock that advances by 1,234,567 nanoseconds whenever it is read.
    private func recorder(capacity: Int = 100) -> TraceRecorder {
        let clock = SteppingClock()
        return TraceRecorder(capacity: capacity) { clock.next() }
    }

    private func record(_ stages: [DisplayStage], of pass: UInt64, with recorder: TraceRecorder) {
        for stage in stages {
            recorder.begin(stage, of: pass)
            recorder.end(stage, of: pass)
        }
    }

    @Test("the document lists each pass's stages by its number, in microseconds")
    func stages() throws {
        let recorder = recorder()
        record([.waiting, .drawing, .committing], of: 7, with: recorder)
        let passes = try events(of: recorder).filter { $0["id"] as? Int == 7 }
        #expect(passes.compactMap { $0["ph"] as? String } == ["b", "e", "b", "e", "b", "e"])
        #expect(
            passes.compactMap { $0["name"] as? String } == [
                "waiting", "waiting", "drawing", "drawing", "committing", "committing",
            ])
        #expect(passes.compactMap { $0["ts"] as? Double }.first == 1_234.567)
        #expect(passes.compactMap { $0["ts"] as? Double }.last == 7_407.402)
    }

    @Test("times keep the zeros after the point")
    func smallFractions() throws {
        let recorder = TraceRecorder(capacity: 1) { 5_000_000_007 }
        recorder.begin(.drawing, of: 1)
        #expect(recorder.json().contains(#""ts":5000000.007"#))
    }

    @Test("draws are listed by thread as well, and the main thread by name")
    func threads() throws {
        let recorder = recorder()
        recorder.begin(.waiting, of: 1)
        // This thread waits for the other one: a thread that has gone may have left it its number.
        let done = DispatchSemaphore(value: 0)
        Thread {
            recorder.end(.waiting, of: 1)
            record([.drawing], of: 1, with: recorder)
            done.signal()
        }.start()
        done.wait()
        let events = try events(of: recorder)
        let names = events.filter { $0["ph"] as? String == "M" }
        #expect(
            names.compactMap { ($0["args"] as? [String: String])?["name"] } == ["main", "drawing 2"])
        let draws = events.filter { ["B", "E"].contains($0["ph"] as? String) }
        #expect(draws.compactMap { $0["ph"] as? String } == ["B", "E"])
        #expect(draws.compactMap { $0["tid"] as? Int } == [2, 2])
        #expect(draws.compactMap { ($0["args"] as? [String: Int])?["pass"] } == [1, 1])
    }

    @Test("a full recorder keeps what it has, and counts what it leaves out")
    func full() throws {
        let recorder = recorder(capacity: 3)
        for pass in 1...5 { recorder.begin(.waiting, of: UInt64(pass)) }
        #expect(try events(of: recorder).compactMap { $0["id"] as? Int } == [1, 2, 3])
        #expect(recorder.droppedEvents == 2)
    }

    @Test("an empty recorder writes an empty document")
    func empty() throws {
        #expect(try events(of: recorder()).isEmpty)
        #expect(recorder().droppedEvents == 0)
    }

    @Test("capacities out of range are clamped", arguments: [(Int.min, 1), (0, 1), (1, 1), (10, 10)])
    func capacities(asked: Int, given: Int) {
        #expect(TraceRecorder(capacity: asked).capacity == given)
    }

    @Test("an absurd capacity is cut to sixteen million events")
    func absurdCapacity() {
        #expect(TraceRecorder.capacity(for: .max) == 1 << 24)
    }

    #if os(Linux)
        @Test("jobs of a pool are listed by thread, under their queue's label, which may hold any character")
        func jobs() throws {
            let recorder = recorder()
            let pool = try WorkerQueuePool(
                label: "a \"b\\ \n", queuesPerTier: .exactly(1),
                workers: WorkerOptions(observation: JobObservation(signposts: recorder)))
            try pool.async(qos: .utility) {}
            pool.shutdownBlocking()
            let jobs = try events(of: recorder).filter { $0["cat"] as? String == "job" }
            #expect(jobs.compactMap { $0["ph"] as? String } == ["B", "E"])
            #expect(
                jobs.compactMap { $0["name"] as? String } == Array(repeating: "a \"b\\ ?.utility", count: 2))
            #expect(Set(jobs.compactMap { $0["tid"] as? Int }).count == 1)
        }
    #endif

    @Test("no event of many threads takes another one's place, while others read")
    func concurrency() throws {
        let recorder = TraceRecorder(capacity: 8_000)
        let threads = DispatchGroup()
        for thread in 0..<4 {
            threads.enter()
            // Dispatch might run all of them on one thread, one after the other.
            Thread {
                for index in 0..<250_000 {
                    record([.waiting], of: UInt64(thread * 250_000 + index + 1), with: recorder)
                    if index % 50_000 == 0 { _ = recorder.json() }
                }
                threads.leave()
            }.start()
        }
        threads.wait()
        let kept = try events(of: recorder).filter { $0["ph"] as? String != "M" }
        let names = kept.map { "\($0["ph"]!) \($0["id"]!)" }
        #expect(names.count == 8_000)
        #expect(Set(names).count == 8_000)
        #expect(recorder.droppedEvents == 1_992_000)
    }
}

private final class SteppingClock: Sendable {
    private let reading = Atomic<UInt64>(0)

    func next() -> UInt64 { reading.wrappingAdd(1_234_567, ordering: .relaxed).newValue }
}
