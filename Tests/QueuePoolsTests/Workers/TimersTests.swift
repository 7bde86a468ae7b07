import TestSupport
import Testing

@testable import QueuePools

@Suite("Timers")
struct TimersTests {
    @Test("what is due comes out by time, then by the order in which it went in", arguments: 0..<20)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var timers = Timers<Int>()
        var expected: [(deadline: UInt64, element: Int)] = []
        for element in 0..<200 {
            let deadline = generator.next() % 50
            timers.insert(element, at: deadline)
            expected.append((deadline, element))
        }
        expected.sort { ($0.deadline, $0.element) < ($1.deadline, $1.element) }
        for (deadline, element) in expected {
            #expect(timers.nextDeadline == deadline)
            if deadline > 0 { #expect(timers.takeDue(at: deadline - 1) == nil) }
            #expect(timers.takeDue(at: deadline) == element)
        }
        #expect(timers.isEmpty)
        #expect(timers.nextDeadline == .max)
    }

    @Test("all can be taken out at once")
    func all() {
        var timers = Timers<Int>()
        for element in 0..<10 { timers.insert(element, at: 5) }
        #expect(Set(timers.takeAll()) == Set(0..<10))
        #expect(timers.isEmpty)
    }

    @Test("after some were removed the others come out in their order", arguments: 0..<20)
    func removal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var timers = Timers<Int>()
        var expected: [(deadline: UInt64, element: Int)] = []
        for element in 0..<200 {
            let deadline = generator.next() % 50
            timers.insert(element, at: deadline)
            expected.append((deadline, element))
        }
        let isRemoved = { (element: Int) in element % 3 != 0 }
        timers.removeAll(where: isRemoved)
        expected.removeAll { isRemoved($0.element) }
        expected.sort { ($0.deadline, $0.element) < ($1.deadline, $1.element) }
        #expect(timers.count == expected.count)
        #expect(timers.nextDeadline == expected[0].deadline)
        for (_, element) in expected { #expect(timers.takeDue(at: .max) == element) }
        #expect(timers.isEmpty)
    }
}
