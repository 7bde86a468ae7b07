/// Packs bits into bytes from the lowest bit up, as DEFLATE does (RFC 1951, 3.1.1).
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Appends the lowest bits of a value, at most 32 of them, lowest first.
    mutating func write(_ value: UInt32, bits: Int) {
        pending |= UInt64(value) << UInt64(pendingCount)
        pendingCount += bits
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Appends a Huffman code, which goes highest bit first.
    mutating func write(code: UInt32, bits: Int) {
        var reversed: UInt32 = 0
        for bit in 0..<bits where code & (1 << UInt32(bit)) != 0 { reversed |= 1 << UInt32(bits - 1 - bit) }
        write(reversed, bits: bits)
    }

    /// Fills the last byte with zeros.
    mutating func finishByte() {
        if pendingCount > 0 { write(0, bits: 8 - pendingCount) }
    }
}
