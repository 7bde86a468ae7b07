import TestSupport
import Testing

@testable import AsyncLayers

@Suite("A first-in, first-out queue", .timeLimit(.minutes(15)))
struct FIFOTests {
    @Test(
        "it returns what an array returns", arguments: 1...20 as ClosedRange<UInt64>)
    func likeAnArray(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (list, model) = (FIFO<Int>(), [Int]())
        for number in 0..<3_000 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3:
                list.append(number)
                model.append(number)
            case 3:
                for more in 0..<Int.random(in: 0..<200, using: &generator) {
                    list.append(more)
                    model.append(more)
                }
            default:
                for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                    #expect(list.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
                }
            }
            #expect(list.first == model.first)
            #expect(list.isEmpty == model.isEmpty)
        }
    }

    @Test("what was taken out it does not hold any more")
    func lettingGo() {
        let alive = Counter()
        final class Witness {
            let alive: Counter
            init(_ alive: Counter) {
                self.alive = alive
                alive.increment()
            }
            deinit { alive.decrement() }
        }
        var list = FIFO<Witness>()
        for _ in 0..<1_000 {
            list.append(Witness(alive))
            if alive.value > 10 { _ = list.popFirst() }
            #expect(alive.value <= 10)
        }
        while list.popFirst() != nil {}
        #expect(alive.value == 0)
    }
}
