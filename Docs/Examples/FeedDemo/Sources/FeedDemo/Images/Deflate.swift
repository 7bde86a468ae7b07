/// Compresses bytes into a zlib stream (RFC 1950) of one DEFLATE block with the fixed codes (RFC 1951).
///
/// Repetitions are found through chains of earlier places with the same four bytes (LZ77). The fixed codes
/// are a third longer than codes made for the data would be, and a third of the program text; for flat
/// pictures the repetitions are what counts.
struct Deflate {
    private static let windowSize = 1 << 15
    private static let shortestMatch = 4
    private static let longestMatch = 258
    /// How many earlier places are tried: more finds longer matches, slowly.
    private static let chainLength = 24

    private var writer = BitWriter()

    /// The zlib stream of the bytes. Takes about five bytes of memory per byte of input.
    static func zlibStream(of bytes: [UInt8]) -> [UInt8] {
        var deflate = Deflate()
        // A window of 32 KiB, the check bits that make the first two bytes a multiple of 31.
        deflate.writer.write(0x0178, bits: 16)
        deflate.writer.write(0b011, bits: 3)
        deflate.compress(bytes)
        deflate.literal(256)
        deflate.writer.finishByte()
        let checksum = Checksums.adler32(bytes)
        return deflate.writer.bytes + withUnsafeBytes(of: checksum.bigEndian, Array.init)
    }

    private mutating func compress(_ bytes: [UInt8]) {
        // The latest place of each hash, and before each place of the window the one with the same hash.
        var heads = [Int32](repeating: -1, count: 1 << 15)
        var previous = [Int32](repeating: -1, count: Deflate.windowSize)
        bytes.withUnsafeBufferPointer { source in
            var position = 0
            while position < source.count {
                var length = 0
                var distance = 0
                if position + Deflate.shortestMatch <= source.count {
                    let limit = min(Deflate.longestMatch, source.count - position)
                    var candidate = Int(heads[Deflate.hash(source, position)])
                    var tries = Deflate.chainLength
                    while candidate >= 0, position - candidate < Deflate.windowSize, tries > 0, length < limit
                    {
                        var matched = 0
                        while matched < limit, source[candidate + matched] == source[position + matched] {
                            matched += 1
                        }
                        if matched > length {
                            length = matched
                            distance = position - candidate
                        }
                        let next = Int(previous[candidate & (Deflate.windowSize - 1)])
                        // A place that left the window was overwritten by a later one.
                        candidate = next < candidate ? next : -1
                        tries -= 1
                    }
                }
                if length >= Deflate.shortestMatch {
                    match(length: length, distance: distance)
                } else {
                    literal(UInt32(source[position]))
                    length = 1
                }
                // The last bytes are too few to begin a match.
                let end = min(position + length, source.count - Deflate.shortestMatch + 1)
                for place in position..<max(position, end) {
                    let hash = Deflate.hash(source, place)
                    previous[place & (Deflate.windowSize - 1)] = heads[hash]
                    heads[hash] = Int32(place)
                }
                position += length
            }
        }
    }

    private static func hash(_ source: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
        let word =
            UInt32(source[position]) | UInt32(source[position + 1]) << 8 | UInt32(source[position + 2]) << 16
            | UInt32(source[position + 3]) << 24
        return Int((word &* 0x9E37_79B1) >> 17)
    }

    /// Writes a literal byte, the end mark 256, or a length code, by the fixed code of RFC 1951, 3.2.6.
    private mutating func literal(_ symbol: UInt32) {
        switch symbol {
        case ..<144: writer.write(code: 0x30 + symbol, bits: 8)
        case ..<256: writer.write(code: 0x190 + symbol - 144, bits: 9)
        case ..<280: writer.write(code: symbol - 256, bits: 7)
        default: writer.write(code: 0xC0 + symbol - 280, bits: 8)
        }
    }

    private mutating func match(length: Int, distance: Int) {
        // 258 has a code of its own, without extra bits.
        if length == Deflate.longestMatch {
            literal(285)
        } else {
            let length = Deflate.code(for: length - 3, directBits: 2)
            literal(257 + length.symbol)
            writer.write(length.extra, bits: length.extraBits)
        }
        let distance = Deflate.code(for: distance - 1, directBits: 1)
        writer.write(code: distance.symbol, bits: 5)
        writer.write(distance.extra, bits: distance.extraBits)
    }

    /// Splits a number into a symbol and extra bits: symbols come in groups of 2^`directBits`, and each
    /// group's extra bits are one more than the last one's. That is how both tables of RFC 1951 are built.
    private static func code(
        for value: Int, directBits: Int
    ) -> (symbol: UInt32, extra: UInt32, extraBits: Int) {
        let extraBits = max(0, Int.bitWidth - value.leadingZeroBitCount - 1 - directBits)
        let symbol = (extraBits << directBits) + (value >> extraBits)
        return (UInt32(symbol), UInt32(value & ((1 << extraBits) - 1)), extraBits)
    }
}
