import AsyncLayers
import BitmapRendering
import Testing

@Suite("Pictures in pictures", .timeLimit(.minutes(15)))
struct BlitTests {
    /// A picture of which every pixel is different and opaque.
    private func pattern(_ width: Int, _ height: Int, scale: Double = 1) throws -> Bitmap {
        try bitmap(width, height, scale: scale) { context in
            for y in 0..<height {
                for x in 0..<width {
                    let color = Color(red: Double(x * 16) / 255, green: Double(y * 16) / 255, blue: 0)
                    let side = 1 / scale
                    let rect = Rect(x: Double(x) * side, y: Double(y) * side, width: side, height: side)
                    context.fill(rect, with: .color(color))
                }
            }
        }
    }

    @Test(
        "At the same scale every pixel is taken over exactly, and cut at all four sides",
        arguments: [(2, 3), (-3, 4), (14, 4), (4, -5), (4, 13), (-5, -5), (0, 0), (100, 0), (0, -100)])
    func exact(x: Int, y: Int) throws {
        let source = try pattern(8, 8, scale: 2)
        let picture = try bitmap(16, 16, scale: 2) {
            $0.draw(source, at: Point(x: Double(x) / 2, y: Double(y) / 2))
        }
        for row in 0..<16 {
            for column in 0..<16 { #expect(picture[x: column, y: row] == source[x: column - x, y: row - y]) }
        }
    }

    @Test("A translucent picture is blended over what is there")
    func translucent() throws {
        let source = try bitmap(2, 2) { $0.fill(with: .color(Color(white: 1, alpha: 0.5))) }
        let picture = try bitmap(2, 2) {
            $0.fill(with: .black)
            $0.draw(source, at: .zero)
        }
        #expect(
            picture.allPixels.allSatisfy { $0 == Bitmap.Pixel(red: 128, green: 128, blue: 128, alpha: 255) })
    }

    @Test("From a coarser picture each pixel is repeated")
    func coarser() throws {
        let source = try pattern(5, 4)
        let picture = try bitmap(20, 20, scale: 3) { $0.draw(source, at: Point(x: 1, y: 1)) }
        for y in 0..<20 {
            for x in 0..<20 {
                let isInside = (3..<18).contains(x) && (3..<15).contains(y)
                #expect(picture[x: x, y: y] == (isInside ? source[x: (x - 3) / 3, y: (y - 3) / 3] : .nothing))
            }
        }
    }

    @Test("From a finer picture pixels are averaged")
    func finer() throws {
        let source = try bitmap(8, 8, scale: 2) {
            $0.fill(Rect(x: 0, y: 0, width: 0.5, height: 4), with: .black)
        }
        let picture = try bitmap(6, 6) { $0.draw(source, at: Point(x: 1, y: 1)) }
        #expect((1..<5).allSatisfy { picture.alpha(1, $0) == 128 })
        #expect(picture.allPixels.filter { $0.alpha > 0 }.count == 4)
    }

    @Test("A picture drawn within a round clip is cut by it")
    func roundClip() throws {
        let source = try bitmap(20, 20) { $0.fill(with: .red) }
        let area = Rect(x: 0, y: 0, width: 20, height: 20)
        let picture = try bitmap(20, 20) { context in
            context.withClip(area, cornerRadius: 10) { context.draw(source, at: .zero) }
        }
        #expect(picture.hasSamePixels(as: try bitmap(20, 20) { $0.fillEllipse(in: area, with: .red) }))
    }

    @Test("Ratios of scales without measure are harmless")
    func strangeScales() throws {
        let tiny = try bitmap(4, 4, scale: 1e-300) { $0.fill(with: .red) }
        let huge = try bitmap(4, 4, scale: 1e300) { $0.fill(with: .red) }
        #expect(try bitmap(4, 4) { $0.draw(tiny, at: .zero) }.allPixels.allSatisfy { $0 == .opaqueRed })
        #expect(try bitmap(4, 4) { $0.draw(huge, at: .zero) }.coveredArea == 1)
        #expect(try bitmap(4, 4, scale: 1e300) { $0.draw(tiny, at: .zero) }.isClear)
    }
}
