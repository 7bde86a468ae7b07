import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Short lists")
struct ShortListTests {
    @Test("a list has what an array has after the same changes", arguments: 0..<100 as Range<UInt64>)
    func arrayLike(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = ShortList<Int>(), array: [Int] = []
        for number in 0..<200 {
            let index = array.indices.randomElement(using: &generator)
            switch (Int.random(in: 0..<5, using: &generator), index) {
            case (0, let index?): #expect(list.remove(at: index) == array.remove(at: index))
            case (1, _): #expect(list.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            case (2, let index?): (list[index], array[index]) = (number, number)
            default:
                list.append(number)
                array.append(number)
            }
            #expect(Array(list) == array)
        }
    }

    @Test("lists of equal elements are equal, whichever way they came about")
    func equality() {
        var list = ShortList(1)
        list.append(2)
        _ = list.remove(at: 0)
        #expect(list == ShortList(2))
        #expect(Set([list]).contains(ShortList(2)))
    }
}
