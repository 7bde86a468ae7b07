/// Just enough of a decompressor to check the compressor: zlib streams with stored blocks and fixed codes.
/// Written from RFC 1950 and 1951 with their tables spelled out, unlike the compressor, which computes them.
struct Inflate {
    enum Failure: Error {
        case header, block, symbol, distance, end, checksum
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195,
        227, 258,
    ]
    private static let lengthExtra = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049,
        3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    private static let distanceExtra = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    private let bytes: [UInt8]
    private var bit = 16

    static func bytes(ofZlibStream stream: [UInt8]) throws -> [UInt8] {
        guard stream.count >= 6, stream[0] & 0x0F == 8, (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0
        else {
            throw Failure.header
        }
        var inflate = Inflate(bytes: stream)
        let output = try inflate.run()
        var (low, high) = (1, 0)
        for byte in output {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let checksum = stream.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard checksum == high << 16 | low else { throw Failure.checksum }
        guard (inflate.bit + 7) / 8 + 4 == stream.count else { throw Failure.end }
        return output
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() throws -> [UInt8] {
        var output: [UInt8] = []
        var isLast = false
        while !isLast {
            isLast = try read(1) == 1
            guard try read(2) == 1 else { throw Failure.block }
            while true {
                let symbol = try literalSymbol()
                if symbol == 256 { break }
                if symbol < 256 {
                    output.append(UInt8(symbol))
                    continue
                }
                guard symbol < 286 else { throw Failure.symbol }
                let length = Inflate.lengthBases[symbol - 257] + (try read(Inflate.lengthExtra[symbol - 257]))
                let code = try readCode(5)
                guard code < 30 else { throw Failure.symbol }
                let distance = Inflate.distanceBases[code] + (try read(Inflate.distanceExtra[code]))
                guard distance <= output.count else { throw Failure.distance }
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
        return output
    }

    private mutating func literalSymbol() throws -> Int {
        var code = try readCode(7)
        if code <= 0b0010111 { return 256 + code }
        code = code << 1 | (try read(1))
        if (0b00110000...0b10111111).contains(code) { return code - 0b00110000 }
        if (0b11000000...0b11000111).contains(code) { return 280 + code - 0b11000000 }
        code = code << 1 | (try read(1))
        return 144 + code - 0b110010000
    }

    private mutating func readCode(_ count: Int) throws -> Int {
        var code = 0
        for _ in 0..<count { code = code << 1 | (try read(1)) }
        return code
    }

    private mutating func read(_ count: Int) throws -> Int {
        var value = 0
        for index in 0..<count {
            guard bit >> 3 < bytes.count else { throw Failure.end }
            value |= Int(bytes[bit >> 3] >> UInt8(bit & 7) & 1) << index
            bit += 1
        }
        return value
    }
}
