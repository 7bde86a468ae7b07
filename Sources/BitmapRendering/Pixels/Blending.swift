import AsyncLayers

/// Arithmetic on premultiplied pixels, each held in a `UInt32` whose bytes in memory are red, green, blue,
/// alpha.
///
/// Two channels are worked on at a time, in the two halves of a word. Products are divided by 255 and rounded
/// to the nearest, exactly: (t + t/256) / 256 with t = product + 128 is right for every product of two bytes.
enum Blending {
    private static let twoChannels: UInt32 = 0x00FF_00FF

    /// The nearest whole number to `product / 255`, for a product of two bytes.
    static func dividedBy255(_ product: UInt32) -> UInt32 {
        let sum = product &+ 128
        return (sum &+ (sum >> 8)) >> 8
    }

    static func alpha(of pixel: UInt32) -> UInt32 {
        UInt32(littleEndian: pixel) >> 24
    }

    /// Every channel times `factor / 255`, for a factor of 0…255.
    static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        var low = (pixel & twoChannels) &* factor &+ 0x0080_0080
        low = ((low &+ ((low >> 8) & twoChannels)) >> 8) & twoChannels
        var high = ((pixel >> 8) & twoChannels) &* factor &+ 0x0080_0080
        high = (high &+ ((high >> 8) & twoChannels)) & ~twoChannels
        return low | high
    }

    /// The source over the destination. No channel overflows, because none exceeds its pixel's alpha.
    static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        source &+ scaled(destination, by: 255 &- alpha(of: source))
    }

    static func pixel(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) -> UInt32 {
        UInt32(littleEndian: red | green << 8 | blue << 16 | alpha << 24)
    }

    /// A colour as a premultiplied pixel: components clamped to 0…1, NaN read as 0, each rounded once.
    static func pixel(_ color: Color) -> UInt32 {
        rounded(premultiplied(color))
    }

    /// Premultiplied components from 0 to 255, in the order red, green, blue, alpha.
    static func premultiplied(_ color: Color) -> SIMD4<Float> {
        let alpha = unit(color.alpha)
        return 255
            * SIMD4(
                Float(unit(color.red) * alpha), Float(unit(color.green) * alpha),
                Float(unit(color.blue) * alpha), Float(alpha))
    }

    /// The nearest pixel to components from 0 to 255 of which none exceeds the last.
    ///
    /// Adding 2²³ leaves no room for a fraction in a `Float`, so that the sum is rounded and its last bits
    /// are the whole number. This is several times faster than converting four numbers with their checks.
    static func rounded(_ components: SIMD4<Float>) -> UInt32 {
        let sums = unsafeBitCast(components + 8_388_608, to: SIMD4<UInt32>.self) & 0xFF
        let channels = pointwiseMin(sums, SIMD4(repeating: sums.w))
        return pixel(red: channels.x, green: channels.y, blue: channels.z, alpha: channels.w)
    }

    /// The components of a pixel, from 0 to 255, in the order red, green, blue, alpha.
    ///
    /// A `Float` of 2²³ and more holds whole numbers in its last bits: that spares four conversions.
    static func components(_ pixel: UInt32) -> SIMD4<Float> {
        let value = UInt32(littleEndian: pixel)
        let channels = SIMD4(value, value >> 8, value >> 16, value >> 24) & 0xFF
        return unsafeBitCast(channels | 0x4B00_0000, to: SIMD4<Float>.self) - 8_388_608
    }

    /// A number cut to 0…1; NaN is 0.
    static func unit(_ value: Double) -> Double {
        value > 0 ? min(value, 1) : 0
    }

    /// A covered share of a pixel as a byte. The small excess over one half rounds every tie upwards, also
    /// where the last bits of the share differ between the left and the right edge of a shape.
    static func byte(_ share: Double) -> UInt8 {
        share > 0 ? UInt8(min(share, 1) * 255 + 0.500_001) : 0
    }

    // MARK: Rows

    /// Blends one colour over pixels.
    static func blend(_ color: UInt32, over pixels: UnsafeMutablePointer<UInt32>, columns: Range<Int>) {
        switch alpha(of: color) {
        case 0: return
        case 255: (pixels + columns.lowerBound).update(repeating: color, count: columns.count)
        default: for column in columns { pixels[column] = over(color, pixels[column]) }
        }
    }

    /// Blends one colour over pixels, each by its coverage.
    static func blend(
        _ color: UInt32, over pixels: UnsafeMutablePointer<UInt32>, columns: Range<Int>,
        coverage: UnsafePointer<UInt8>
    ) {
        let isOpaque = alpha(of: color) == 255
        for column in columns {
            let share = UInt32(coverage[column])
            if share == 0 { continue }
            if share == 255 {
                pixels[column] = isOpaque ? color : over(color, pixels[column])
            } else {
                pixels[column] = over(scaled(color, by: share), pixels[column])
            }
        }
    }

    /// Blends a row of pixels over pixels, each by its coverage. All three are indexed by the same columns.
    static func blend(
        _ source: UnsafePointer<UInt32>, over pixels: UnsafeMutablePointer<UInt32>, columns: Range<Int>,
        coverage: UnsafePointer<UInt8>
    ) {
        for column in columns {
            let share = UInt32(coverage[column])
            if share == 0 { continue }
            let color = share == 255 ? source[column] : scaled(source[column], by: share)
            pixels[column] = alpha(of: color) == 255 ? color : over(color, pixels[column])
        }
    }
}
