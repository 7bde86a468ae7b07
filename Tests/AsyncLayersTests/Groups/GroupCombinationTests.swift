import QueuePoolsLocks
import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Combinations of groups and callbacks", .timeLimit(.minutes(15)))
struct GroupCombinationTests {
    let bench: LayerBench
    init() throws { bench = try LayerBench() }

    private func display(_ layers: [AsyncLayer<RecordingRenderer>], timeLimit: Duration) {
        let group = DisplayGroup(timeLimit: timeLimit, host: bench.host)
        for layer in layers { group.add(layer) }
        group.display { _ in }
    }

    @Test("a display that joins a later one with a longer limit waits four of its own at most")
    func mergedTimer() {
        let (x, others) = (bench.addLayer(), (0..<3).map { _ in bench.addLayer() })
        display([x], timeLimit: .milliseconds(10))
        bench.main.advance(by: .milliseconds(2))
        display(others, timeLimit: .milliseconds(100))
        bench.main.advance(by: .milliseconds(1))
        display([x, others[0]], timeLimit: .milliseconds(10))
        // All but the last.
        for _ in 0..<3 { bench.pool.runNext() }
        bench.main.runAll()
        #expect(x.contents == nil)
        bench.main.advance(by: .milliseconds(36))
        bench.main.runAll()
        #expect(x.contents == nil, "39 ms after the first call")
        bench.main.advance(by: .milliseconds(2))
        bench.main.runAll()
        #expect(x.contents != nil, "41 ms after the first call")
        bench.settleTurns()
    }

    @Test(
        "however displays join each other, none keeps a picture for more than four limits of the first",
        arguments: 361...400 as ClosedRange<UInt64>)
    func randomTimeLimits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let layers = (0..<8).map { _ in bench.addLayer() }
        // Which layers have joined each other, and until when the first call allows them to wait.
        var parts = layers.indices.map { (members: [$0], first: Duration.zero, last: Duration.zero) }
        for _ in 0..<5 {
            bench.main.advance(by: .milliseconds(Int.random(in: 1...3, using: &generator)))
            let limit = Duration.milliseconds([20, 100, 1_000].randomElement(using: &generator)!)
            let members = Set((0..<3).map { _ in Int.random(in: 0..<8, using: &generator) })
            display(members.sorted().map { layers[$0] }, timeLimit: limit)
            let now = bench.main.now
            let joined = parts.filter { !members.isDisjoint(with: $0.members) }
            parts.removeAll { !members.isDisjoint(with: $0.members) }
            let earlier = joined.filter { $0.last > now }.min { $0.first < $1.first }
            parts.append(
                (joined.flatMap(\.members), earlier?.first ?? now, earlier?.last ?? now + limit * 4))
        }
        // All but the last.
        while bench.pool.waitingCount > 1, bench.pool.runNext() { bench.main.runAll() }
        #expect(layers.contains { $0.pipeline.member?.display != nil })
        let end = bench.main.now + .seconds(5)
        while bench.main.now < end {
            bench.main.advance(by: .milliseconds(1))
            bench.main.runAll()
            for part in parts where bench.main.now > part.last {
                #expect(part.members.allSatisfy { layers[$0].pipeline.member?.display == nil })
            }
        }
        bench.settleTurns()
    }

    @Test("a display that is overdue, since the main thread was busy, does not use up the next one's time")
    func overdue() {
        let layers = (0..<2).map { _ in bench.addLayer() }
        let group = DisplayGroup(timeLimit: .milliseconds(10), host: bench.host)
        for layer in layers { group.add(layer) }
        let results = Recorder<DisplayGroupResult>()
        group.display { _ in }
        bench.main.advance(by: .milliseconds(41))  // busy
        group.display { results.append($0) }
        bench.pool.runNext()
        bench.main.runAll()
        #expect(layers.map { $0.contents != nil } == [false, false], "torn")
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("suspending a group shows no part of it")
    func suspendTears() {
        let layers = (0..<3).map { _ in bench.addLayer() }
        let group = DisplayGroup(timeLimit: .milliseconds(100), host: bench.host)
        for layer in layers { group.add(layer) }
        for layer in layers.reversed() { layer.size = Size(width: 10, height: 20) }
        bench.makeTask = { n in DisplayTask(qos: n == 1 ? .background : .userInitiated) { _, _ in } }
        group.display { _ in }
        bench.pool.runNext()
        bench.pool.runNext()
        bench.main.runAll()
        #expect(layers.map { $0.contents != nil } == [false, false, false])
        group.suspend()
        #expect(layers.map { $0.contents != nil } == [false, false, false], "appeared by being suspended")
        group.resume()
        bench.settleTurns()
    }

    @Test("a held picture whose layer is just being displayed again does not appear")
    func staleWhileAsked() {
        let x = bench.addLayer(), y = bench.addLayer(), z = bench.addLayer()
        let group = DisplayGroup(timeLimit: .milliseconds(100), host: bench.host)
        for layer in [x, y, z] { group.add(layer) }
        let results = Recorder<DisplayGroupResult>()
        bench.makeTask = { n in
            DisplayTask(qos: n == 2 ? .background : .userInitiated) { c, _ in c.commands.append("\(n)") }
        }
        group.display { results.append($0) }
        bench.pool.runNext()
        bench.pool.runNext()
        bench.main.runAll()
        bench.makeTask = { n in
            y.cancelDisplay()
            return DisplayTask { c, _ in c.commands.append("\(n)") }
        }
        x.display()
        #expect(x.contents == nil, "\(String(describing: x.contents?.commands)): stale picture appears")
        #expect(z.contents == nil)
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 2, cancelled: 1)])
    }

    @Test("what a callback displays as a group is reported after the callback", arguments: [false, true])
    func groupInCallback(deadline: Bool) {
        let other = bench.addLayer()
        let group = DisplayGroup(timeLimit: .milliseconds(100), host: bench.host)
        group.add(other)
        if deadline { other.displayTimeLimit = .milliseconds(5) }
        let log = bench.log
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { _ in
                    log.append("report \(number)")
                    guard number == 1 else { return }
                    bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
                    group.display { _ in log.append("group") }
                    log.append("returned")
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        #expect(log.elements.prefix(2) == ["report 1", "returned"], "\(log.elements)")
    }

    @Test("merged displays of hosts whose clocks differ keep their time limits", arguments: [true, false])
    func twoClocks(isAhead: Bool) throws {
        let other = try LayerBench()
        if isAhead { other.main.advance(by: .seconds(1000)) } else { bench.main.advance(by: .seconds(1000)) }
        let a = bench.addLayer(), b = other.addLayer()
        let first = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        first.add(a)
        first.add(b)
        let second = DisplayGroup(timeLimit: .milliseconds(50), host: other.host)
        second.add(a)
        second.add(b)
        first.display { _ in }
        second.display { _ in }
        bench.pool.runNext()
        bench.main.runAll()
        #expect(a.contents == nil)
        for _ in 0..<49 {
            for bench in [bench, other] {
                bench.main.advance(by: .milliseconds(1))
                bench.main.runAll()
            }
        }
        #expect(a.contents == nil)
        for _ in 0..<2 {
            for bench in [bench, other] {
                bench.main.advance(by: .milliseconds(1))
                bench.main.runAll()
            }
        }
        #expect(a.contents != nil)
        for _ in 0..<3 { bench.settle(); other.settle() }
    }

    @Test("no callback runs in the middle of a group's display")
    func callbackWhileBeginning() {
        let a = bench.addLayer(), b = bench.addLayer()
        let results = Recorder<DisplayGroupResult>()
        bench.makeTask = { n in
            DisplayTask(onEnd: { _ in if n == 1 { b.cancelDisplay() } }, draw: { _, _ in })
        }
        a.display()
        let group = DisplayGroup(timeLimit: .milliseconds(100), host: bench.host)
        group.add(a)
        group.add(b)
        group.display { results.append($0) }
        bench.pool.runNext()
        bench.main.runAll()
        let torn = a.contents != nil && b.contents == nil
        bench.settle()
        #expect(!torn || b.contents == nil, "a appeared, b came later")
        #expect(
            results.elements == [DisplayGroupResult(together: 2)]
                || results.elements == [DisplayGroupResult(together: 1, cancelled: 1)] && b.contents == nil,
            "\(results.elements), and shows \(b.contents != nil)")
    }

    @Test(
        "a group that is displayed in each frame, and whose draws take a frame, shows pictures",
        arguments: [true, false], [10, 50])
    func storm(grouped: Bool, limit: Int) {
        let layers = (0..<2).map { _ in bench.addLayer() }
        let group = DisplayGroup(timeLimit: .milliseconds(limit), host: bench.host)
        for layer in layers { group.add(layer) }
        let frames = Counter()
        let changes = Counter()
        for layer in layers { layer.onContentsChange = { _ in changes.increment() } }
        let display: @MainActor @Sendable () -> Void = {
            if grouped { group.display { _ in } } else { for layer in layers { layer.display() } }
        }
        // Both draw at the same time; in each, the next frame comes just before they end.
        bench.makeTask = { [unowned bench] n in
            DisplayTask { _, _ in
                MainActor.assumeIsolated {
                    if n.isMultiple(of: 2) == false {
                        bench.pool.runNext()
                    } else {
                        for _ in 0..<16 {
                            bench.main.advance(by: .milliseconds(1))
                            bench.main.runAll()
                        }
                        frames.increment()
                        if frames.value < 200 { display() }
                    }
                }
            }
        }
        display()
        while frames.value < 200, bench.pool.runNext() { bench.main.runAll() }
        #expect(frames.value >= 199)
        #expect(changes.value > 10, "\(changes.value) in \(frames.value) frames")
        bench.settleTurns()
    }
}
