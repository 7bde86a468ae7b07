/// PNG's row filters: each byte is replaced by its difference from a guess made of its neighbours, so that
/// what repeats in the picture becomes zeros.
enum RowFilter {
    /// The rows with their filter's number before each.
    ///
    /// Takes for each row the filter whose differences are smallest, the rule of thumb of the PNG standard
    /// (12.7), where an equal sum goes to the simpler filter: flat pictures get long runs of equal bytes.
    static func filtered(_ rgba: [UInt8], width: Int, height: Int, channels: Int) -> [UInt8] {
        let rowSize = width * channels
        var above = [UInt8](repeating: 0, count: rowSize)
        var row = above
        var candidates = [[UInt8]](repeating: above, count: 5)
        var output: [UInt8] = []
        output.reserveCapacity((rowSize + 1) * height)
        for y in 0..<height {
            swap(&row, &above)
            rgba.withUnsafeBufferPointer { source in
                var target = 0
                for x in 0..<width {
                    for channel in 0..<channels {
                        row[target] = source[(y * width + x) * 4 + channel]
                        target += 1
                    }
                }
            }
            var best = 0
            var bestSum = Int.max
            for filter in 0..<5 {
                let sum = apply(filter, to: row, above: above, pixelSize: channels, into: &candidates[filter])
                if sum < bestSum { (best, bestSum) = (filter, sum) }
            }
            output.append(UInt8(best))
            output += candidates[best]
        }
        return output
    }

    /// Filters a row and returns the sum of the differences, each counted as its distance from zero.
    private static func apply(
        _ filter: Int, to row: [UInt8], above: [UInt8], pixelSize: Int, into result: inout [UInt8]
    ) -> Int {
        var sum = 0
        for index in row.indices {
            let left = index >= pixelSize ? Int(row[index - pixelSize]) : 0
            let up = Int(above[index])
            let guess =
                switch filter {
                case 0: 0
                case 1: left
                case 2: up
                case 3: (left + up) / 2
                default: paeth(left, up, index >= pixelSize ? Int(above[index - pixelSize]) : 0)
                }
            let difference = UInt8(truncatingIfNeeded: Int(row[index]) - guess)
            result[index] = difference
            sum += Int(Int8(bitPattern: difference).magnitude)
        }
        return sum
    }

    private static func paeth(_ left: Int, _ up: Int, _ upLeft: Int) -> Int {
        let guess = left + up - upLeft
        let (toLeft, toUp, toUpLeft) = (abs(guess - left), abs(guess - up), abs(guess - upLeft))
        if toLeft <= toUp && toLeft <= toUpLeft { return left }
        return toUp <= toUpLeft ? up : upLeft
    }
}
