/// A set of CPU or node numbers as system calls take it: an array of words with a bit for each number.
struct NumberMask {
    var words = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)

    init(_ numbers: some Sequence<Int> = []) {
        for number in numbers { words[number / UInt.bitWidth] |= 1 << UInt(number % UInt.bitWidth) }
    }

    var byteCount: Int { words.count * MemoryLayout<UInt>.size }

    var numbers: Set<Int> {
        Set(
            (0..<words.count * UInt.bitWidth).filter {
                words[$0 / UInt.bitWidth] >> ($0 % UInt.bitWidth) & 1 == 1
            })
    }
}
