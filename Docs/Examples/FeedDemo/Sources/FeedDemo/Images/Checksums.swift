/// The checksums that PNG and zlib ask for.
enum Checksums {
    /// CRC-32 as in PNG (ISO 3309, reflected polynomial 0xEDB88320).
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes { crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
        return ~crc
    }

    /// Adler-32 as in zlib (RFC 1950).
    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        var start = 0
        while start < bytes.count {
            // 5,552 is the most bytes after which the sums still fit 32 bits.
            let end = min(start + 5_552, bytes.count)
            for index in start..<end {
                low &+= UInt32(bytes[index])
                high &+= low
            }
            low %= 65_521
            high %= 65_521
            start = end
        }
        return high << 16 | low
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}
