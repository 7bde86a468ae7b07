import AsyncLayers
import Dispatch
import Foundation
@testable import QueuePools
import Synchronization
import Testing

@Suite("Trace recorder", .timeLimit(.minutes(15)))
struct TraceRecorderTests {
    private func events(of recorder: TraceRecorder) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(recorder.json().utf8))
        return try #require((document as? [String: Any])?["traceEvents"] as? [[String: Any]])
    }

    /// A clock that advances by 1,234,567 nanoseconds whenever it is read.
    private func recorder(capacity: Int = 100) -> TraceRecorder {
        let clock = SteppingClock()
        return TraceRecorder(eventLimit: capacity) { clock.next() }
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
        let recorder = TraceRecorder(eventLimit: 1) { 5_000_000_007 }
        recorder.begin(.drawing, of: 1)
        #expect(recorder.json().contains(#""ts":5000000.007"#))
    }

    @Test("draws are listed by thread as well, which has the kernel's number and name")
    func threads() throws {
        let recorder = recorder()
        recorder.begin(.waiting, of: 1)
        // This thread waits for the other one: a thread that has gone may have left it its number.
        let done = DispatchSemaphore(value: 0)
        let other = Recorder<String>()
        Thread {
            other.append(kernelThread())
            recorder.end(.waiting, of: 1)
            record([.drawing], of: 1, with: recorder)
            done.signal()
        }.start()
        done.wait()
        let events = try events(of: recorder)
        let names = events.filter { $0["ph"] as? String == "M" }.map {
            "\($0["tid"] ?? 0) \(($0["args"] as? [String: String])?["name"] ?? "")"
        }
        #if os(Linux)
            #expect(Set(names) == Set(other.elements + [kernelThread()]))
            #expect(Set(events.compactMap { $0["pid"] as? Int32 }) == [getpid()])
        #endif
        let draws = events.filter { ["X", "B", "E"].contains($0["ph"] as? String) }
        #expect(draws.compactMap { $0["ph"] as? String } == ["X"])
        #expect(draws.compactMap { $0["dur"] as? Double } == [1_234.567])
        #expect(
            draws.allSatisfy { other.elements[0].hasPrefix("\($0["tid"] ?? "") ") } || other.elements == [""])
        #expect(draws.compactMap { ($0["args"] as? [String: Int])?["pass"] } == [1])
    }

    /// The calling thread's number and name, from /proc.
    private func kernelThread() -> String {
        guard let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let name = try? String(contentsOfFile: "/proc/\(thread)/comm", encoding: .utf8)
        else { return "" }
        return "\(thread.split(separator: "/").last ?? "") \(name.dropLast())"
    }

    @Test("a full recorder keeps the last events, and counts those that it leaves out")
    func full() throws {
        let recorder = recorder(capacity: 4)
        for pass in 1...6 { recorder.begin(.waiting, of: UInt64(pass)) }
        #expect(try events(of: recorder).compactMap { $0["id"] as? Int } == [3, 4, 5, 6])
        #expect(recorder.droppedEvents == 2)
    }

    @Test(
        "an end whose beginning is not there any more is shown from the oldest event on, a stage not at all")
    func cutBeginnings() throws {
        let recorder = recorder(capacity: 4)
        let track = recorder.track(labelled: "queue")
        recorder.begin(.waiting, of: 1)
        recorder.begin(on: track, waited: nil)
        record([.committing], of: 2, with: recorder)
        recorder.end(on: track)
        recorder.end(.waiting, of: 1)
        let events = try events(of: recorder).filter { $0["ph"] as? String != "M" }
        #expect(events.compactMap { $0["name"] as? String } == ["committing", "committing", "queue"])
        #expect(events.last?["ts"] as? Double == 3 * 1_234.567)
        #expect(events.last?["dur"] as? Double == 2 * 1_234.567)
    }

    @Test("a job has its label, queue and wait; one within it is shown in it, and one that runs has no end")
    func nestedJobs() throws {
        let recorder = recorder()
        let (outer, inner) = (recorder.track(labelled: "outer"), recorder.track(labelled: "inner"))
        #expect(recorder.track(labelled: "outer") == outer)
        recorder.begin(on: outer, waited: .microseconds(8_400))
        recorder.label("decode \"a\"")
        recorder.begin(on: inner, waited: nil)
        recorder.end(on: inner)
        let long = String(repeating: "0123456789", count: 30)
        recorder.label(long)
        recorder.end(on: outer)
        recorder.begin(on: outer, waited: .zero)
        recorder.label("runs")
        let jobs = try events(of: recorder).filter { $0["cat"] as? String == "job" }
        #expect(jobs.compactMap { $0["name"] as? String } == ["inner", String(long.prefix(240)), "runs"])
        #expect(jobs.compactMap { $0["ph"] as? String } == ["X", "X", "B"])
        let arguments = jobs.compactMap { $0["args"] as? [String: Any] }
        #expect(arguments.map { $0["queue"] as? String } == ["inner", "outer", "outer"])
        #expect(arguments.map { $0["waited_us"] as? Double } == [nil, 8_400, 0])
        let times = jobs.compactMap { $0["ts"] as? Double }
        #expect(times[1] < times[0] && times[0] < times[2])
    }

    @Test("looking back for some seconds leaves out jobs and stages that ended earlier")
    func lookingBack() throws {
        let clock = SettableClock()
        let recorder = TraceRecorder(eventLimit: 100) { clock.now }
        let track = recorder.track(labelled: "queue")
        func job(_ label: String, from start: UInt64, to end: UInt64) {
            clock.now = start * 1_000_000_000
            recorder.begin(on: track, waited: nil)
            recorder.label(label)
            recorder.begin(.waiting, of: start)
            clock.now = end * 1_000_000_000
            recorder.end(.waiting, of: start)
            recorder.end(on: track)
        }
        job("early", from: 1, to: 2)
        job("long", from: 3, to: 9)
        job("late", from: 10, to: 11)
        func shown(_ duration: Duration?) throws -> [String] {
            let document = try JSONSerialization.jsonObject(with: Data(recorder.json(last: duration).utf8))
            let events = (document as? [String: Any])?["traceEvents"] as? [[String: Any]]
            return try #require(events).filter { ["X", "b"].contains($0["ph"] as? String) }.map {
                "\($0["id"] ?? $0["name"] ?? "")"
            }
        }
        #expect(try shown(nil) == ["1", "early", "3", "long", "10", "late"])
        #expect(try shown(.seconds(2)) == ["3", "long", "10", "late"])
        #expect(try shown(.seconds(1)) == ["10", "late"])
        #expect(try shown(.seconds(Int64.max)).count == 6)
        clock.now = 60_000_000_000
        #expect(try shown(.seconds(5)).isEmpty)
    }

    @Test("an empty recorder writes an empty document")
    func empty() throws {
        #expect(try events(of: recorder()).isEmpty)
        #expect(recorder().droppedEvents == 0)
    }

    @Test(
        "capacities out of range are clamped, others rounded up to a power of two",
        arguments: [(Int.min, 1), (0, 1), (1, 1), (2, 2), (10, 16), (64, 64)])
    func capacities(asked: Int, given: Int) {
        #expect(TraceRecorder(eventLimit: asked).eventLimit == given)
    }

    @Test("an absurd capacity is cut to sixteen million events")
    func absurdCapacity() {
        #expect(TraceRecorder.capacity(for: .max) == 1 << 24)
    }

    #if os(Linux)
        @Test("jobs of a pool are listed by thread, with labels, which may hold any character, and waits")
        func jobs() async throws {
            let recorder = TraceRecorder(eventLimit: 100)
            let pool = try WorkerQueuePool(
                label: "a \"b\\ \n", queuesPerTier: .exactly(1),
                workers: WorkerOptions(observation: JobObservation(signposts: recorder)))
            let threads = Recorder<String>()
            let (gate, arrived) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try pool.async(qos: .utility) {
                threads.append(kernelThread())
                arrived.signal()
                gate.wait()
            }
            while arrived.wait(timeout: .now()) == .timedOut { await Task.yield() }
            try pool.async(qos: .utility, label: "first") {}
            try pool.async(qos: .utility, key: 1, label: "second") {}
            let start = ContinuousClock.now
            while start.duration(to: .now) < .milliseconds(2) {}
            gate.signal()
            try await pool.start(qos: .utility, label: "third") {}.value
            try await pool.shutdown()
            let events = try events(of: recorder)
            let jobs = events.filter { $0["cat"] as? String == "job" }
            #expect(jobs.allSatisfy { $0["ph"] as? String == "X" })
            // The keyed job may begin before or after the unordered ones.
            let names = jobs.compactMap { $0["name"] as? String }
            #expect(names.first == "a \"b\\ ?.utility")
            #expect(Set(names.dropFirst()) == ["first", "second", "third"])
            let arguments = jobs.compactMap { $0["args"] as? [String: Any] }
            let queues = arguments.compactMap { $0["queue"] as? String }
            #expect(queues.filter { $0.hasSuffix(".utility.0") }.count == 1)
            #expect(queues.filter { $0.hasSuffix(".utility") }.count == 3)
            let waits = arguments.compactMap { $0["waited_us"] as? Double }
            #expect(waits.count == 4 && waits.filter { $0 >= 2_000 }.count >= 2)
            let shown = events.filter { $0["ph"] as? String == "M" }.map {
                "\($0["tid"] ?? 0) \(($0["args"] as? [String: String])?["name"] ?? "")"
            }
            #expect(shown == threads.elements.map { $0.replacing("\n", with: "?") })
        }
    #endif

    @Test("the last events of many threads are there, none twice or mixed with another, while others read")
    func concurrency() throws {
        let recorder = TraceRecorder(eventLimit: 8_192)
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
        // The beginnings of the oldest are gone, of one for each thread at most.
        #expect((8_180...8_192).contains(names.count))
        #expect(Set(names).count == names.count)
        #expect(recorder.droppedEvents == 2_000_000 - 8_192)
    }

    private func event(_ number: UInt64) -> EventRing.Event {
        .init(time: number, head: number, words: (number, number, number, number, number))
    }

    @Test("an event whose slot is used again while it is read is left out")
    func overwrittenWhileRead() {
        let ring = EventRing(capacity: 4)
        for number in 0..<4 { ring.record(event(UInt64(number))) }
        var next: UInt64 = 4
        // While the first event is read, the second and the first are overwritten.
        let read = ring.events {
            guard next == 4 else { return }
            for _ in 0..<2 {
                ring.record(event(next))
                next += 1
            }
        }
        #expect(read == [event(2), event(3)])
        #expect(ring.events() == [2, 3, 4, 5].map { event($0) })
    }

    @Test("a slot that a thread is writing is neither read nor taken by another")
    func overtakenWhileWriting() {
        let ring = EventRing(capacity: 4)
        ring.record(
            event(0),
            midway: {
                #expect(ring.events().isEmpty)
                for number in 1...4 { ring.record(event(UInt64(number))) }
                #expect(ring.events() == [1, 2, 3].map { event($0) })
            })
        #expect(ring.events() == [1, 2, 3].map { event($0) })
        for number in 5...8 { ring.record(event(UInt64(number))) }
        #expect(ring.events() == [5, 6, 7, 8].map { event($0) })
        #expect(ring.recordedCount == 9)
    }

    @Test("a thread that comes too late to its slot leaves it to the later event")
    func overtakenBeforeWriting() {
        let ring = EventRing(capacity: 4)
        ring.record(event(0)) { for number in 1...4 { ring.record(event(UInt64(number))) } }
        #expect(ring.events() == [1, 2, 3, 4].map { event($0) })
    }
}

private final class SteppingClock: Sendable {
    private let reading = Atomic<UInt64>(0)

    func next() -> UInt64 { reading.wrappingAdd(1_234_567, ordering: .relaxed).newValue }
}

private final class SettableClock: Sendable {
    private let reading = Atomic<UInt64>(0)

    var now: UInt64 {
        get { reading.load(ordering: .relaxed) }
        set { reading.store(newValue, ordering: .relaxed) }
    }
}

/// Values that threads append. (`TestSupport` is not linked here.)
private final class Recorder<Element: Sendable>: Sendable {
    private let values = Mutex<[Element]>([])

    func append(_ value: Element) { values.withLock { $0.append(value) } }

    var elements: [Element] { values.withLock { $0 } }
}
