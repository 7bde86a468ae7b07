import AsyncLayers
import Testing

@testable import BitmapRendering

@Suite("Blending", .timeLimit(.minutes(15)))
struct BlendingTests {
    @Test("A product of two bytes divided by 255 is rounded to the nearest, for all 65,536")
    func productsAreRoundedExactly() {
        var wrong = 0
        for value in UInt32(0)...255 {
            // Four different values, so that a carry from one channel into the next would show.
            let channels = [value, 255 - value, value ^ 0x55, 255]
            let pixel = Blending.pixel(
                red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
            for factor in UInt32(0)...255 {
                // Half of an odd number is never a whole one, so there is no tie: floor(p / 255 + 1/2).
                let expected = channels.map { (2 * $0 * factor + 255) / 510 }
                let scaled = Blending.scaled(pixel, by: factor)
                if Blending.dividedBy255(value * factor) != expected[0]
                    || scaled
                        != Blending.pixel(
                            red: expected[0], green: expected[1], blue: expected[2], alpha: expected[3])
                {
                    wrong += 1
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test("Translucent over translucent follows the formula, for all alphas of both")
    func translucentOverTranslucent() {
        var wrong = 0
        for sourceAlpha in UInt32(0)...255 {
            let source = Blending.pixel(red: sourceAlpha, green: sourceAlpha / 2, blue: 0, alpha: sourceAlpha)
            for alpha in UInt32(0)...255 {
                let destination = Blending.pixel(red: 0, green: alpha / 3, blue: alpha, alpha: alpha)
                func rest(_ channel: UInt32) -> UInt32 { (2 * channel * (255 - sourceAlpha) + 255) / 510 }
                let expected = Blending.pixel(
                    red: sourceAlpha, green: sourceAlpha / 2 + rest(alpha / 3), blue: rest(alpha),
                    alpha: sourceAlpha + rest(alpha))
                if Blending.over(source, destination) != expected { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test("Every way to draw a colour blends alike: by fill, by gradient, by line and by picture")
    func allPathsBlendAlike() throws {
        let under = Color(red: 0.2, green: 0.9, blue: 0.4, alpha: 0.7)
        let over = Color(red: 0.8, green: 0.1, blue: 0.6, alpha: 0.4)
        let gradient = LinearGradient(from: .zero, over, to: Point(x: 3, y: 4), over)
        let picture = try bitmap(4, 4) { $0.fill(with: .color(over)) }
        let draws: [(BitmapContext) -> Void] = [
            { $0.fill(with: .color(over)) },
            { $0.fill(with: .linearGradient(gradient)) },
            { $0.strokeLine(from: .zero, to: Point(x: 4, y: 4), width: 40, with: .color(over)) },
            { $0.draw(picture, at: .zero) },
        ]
        let results = try draws.map { draw in
            try bitmap(4, 4) { context in
                context.fill(with: .color(under))
                draw(context)
            }
        }
        #expect(Set(results.flatMap(\.allPixels)).count == 1)
        // over.alpha = 102, under.alpha = 179 (178.5): 102 + round(179 × 153 / 255) = 209.
        #expect(results[0].alpha(0, 0) == 209)
    }

    @Test("Components are multiplied by alpha and rounded once")
    func colorsBecomePremultiplied() {
        let pixel = Blending.pixel(Color(red: 0.5, green: 1, blue: 0.4, alpha: 0.5))
        #expect(pixel == Blending.pixel(red: 64, green: 128, blue: 51, alpha: 128))
    }

    @Test("Components are clamped to 0…1, and NaN reads as 0")
    func componentsAreClamped() {
        let pixel = Blending.pixel(Color(red: 7, green: -.infinity, blue: .nan, alpha: .infinity))
        #expect(pixel == Blending.pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(Blending.pixel(Color(white: 1, alpha: .nan)) == 0)
        #expect(Blending.pixel(Color(white: 1, alpha: -1)) == 0)
    }

    @Test("No component of a pixel exceeds its alpha")
    func pixelsArePremultiplied() {
        var wrong = 0
        for alpha in stride(from: 0.0, through: 1, by: 0.003) {
            for white in stride(from: 0.0, through: 1, by: 0.01) {
                let pixel = Blending.pixel(Color(white: white, alpha: alpha))
                if UInt32(littleEndian: pixel) & 0xFF > Blending.alpha(of: pixel) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }
}
