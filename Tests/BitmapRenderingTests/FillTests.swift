import AsyncLayers
import BitmapRendering
import Testing

@Suite("Fills", .timeLimit(.minutes(15)))
struct FillTests {
    @Test("A new context is clear")
    func newContextIsClear() throws {
        #expect(try bitmap(33, 7) { _ in }.isClear)
    }

    @Test("A rectangle between pixels fills them exactly, and no other")
    func alignedRectangle() throws {
        let picture = try bitmap(20, 10, scale: 2) {
            $0.fill(Rect(x: 2, y: 1, width: 5, height: 3), with: .red)
        }
        for y in 0..<10 {
            for x in 0..<20 {
                let isInside = (4..<14).contains(x) && (2..<8).contains(y)
                #expect(picture[x: x, y: y] == (isInside ? .opaqueRed : .nothing))
            }
        }
    }

    @Test("An edge covers a pixel by its exact share", arguments: [0.25, 0.5, 0.75])
    func fractionalEdges(share: Double) throws {
        let picture = try bitmap(6, 6) {
            $0.fill(
                Rect(x: 2 - share, y: 2 - share, width: 2 + 2 * share, height: 2 + 2 * share), with: .black)
        }
        let edge = UInt8((share * 255).rounded())
        let corner = UInt8((share * share * 255).rounded())
        let column = [0, edge, 255, 255, edge, 0]
        #expect((0..<6).map { picture.alpha($0, 2) } == column)
        #expect((0..<6).map { picture.alpha(2, $0) } == column)
        #expect([(1, 1), (4, 1), (1, 4), (4, 4)].allSatisfy { picture.alpha($0.0, $0.1) == corner })
    }

    @Test("A rectangle within one pixel covers it by its area")
    func tinyRectangle() throws {
        let picture = try bitmap(3, 3) {
            $0.fill(Rect(x: 1.25, y: 1.25, width: 0.5, height: 0.5), with: .black)
        }
        #expect(picture.alpha(1, 1) == 64)
        #expect(picture.allPixels.filter { $0.alpha > 0 }.count == 1)
    }

    @Test("Round corners are symmetric under flips and under exchange of the axes")
    func roundCornersAreSymmetric() throws {
        let picture = try bitmap(40, 40) {
            $0.fill(Rect(x: 3, y: 3, width: 34, height: 34), cornerRadius: 11.3, with: .black)
        }
        var wrong = 0
        for y in 0..<40 {
            for x in 0..<40 {
                let alpha = picture.alpha(x, y)
                if alpha != picture.alpha(39 - x, y) || alpha != picture.alpha(x, 39 - y) { wrong += 1 }
                // The axes are cut differently (exactly, and in slices), so here a small difference is
                // allowed.
                if abs(Int(alpha) - Int(picture.alpha(y, x))) > 8 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(picture.alpha(3, 3) == 0)
        #expect(picture.alpha(20, 3) == 255)
    }

    @Test(
        "The area of round corners is that of geometry",
        arguments: [(40.0, 30.0, 10.0), (33.3, 21.7, 4.4), (20, 20, 10), (9.5, 40, 100), (3, 3, 1.5)])
    func roundCornerArea(width: Double, height: Double, radius: Double) throws {
        let picture = try bitmap(50, 50) {
            $0.fill(Rect(x: 2.3, y: 3.6, width: width, height: height), cornerRadius: radius, with: .black)
        }
        let cut = min(radius, width / 2, height / 2)
        let expected = width * height - (4 - Double.pi) * cut * cut
        #expect(abs(picture.coveredArea - expected) < 0.003 * expected + 0.02)
    }

    @Test("An ellipse has the area of geometry, also when it is thinner than a pixel")
    func ellipseArea() throws {
        for (width, height) in [(40.0, 20.0), (10, 44), (0.6, 40), (40, 0.6)] {
            let picture = try bitmap(50, 50) {
                $0.fillEllipse(in: Rect(x: 3.4, y: 2.7, width: width, height: height), with: .black)
            }
            let expected = Double.pi / 4 * width * height
            #expect(abs(picture.coveredArea - expected) < 0.01 * expected + 0.05)
        }
    }

    @Test("A translucent fill is blended once, also under its round corners")
    func translucentFill() throws {
        let picture = try bitmap(20, 20) {
            $0.fill(
                Rect(x: 0, y: 0, width: 20, height: 20), cornerRadius: 6,
                with: .color(Color(white: 1, alpha: 0.5)))
        }
        #expect(picture.allPixels.map(\.alpha).max() == 128)
        #expect(picture.alpha(10, 0) == 128)
        #expect(picture.allPixels.allSatisfy { $0.red == $0.alpha })
    }

    @Test("A translation moves what is drawn, and ends with its closure, also when that throws")
    func translation() throws {
        struct Stop: Error {}
        let picture = try bitmap(8, 8) { context in
            context.withTranslation(Point(x: 2, y: 1)) {
                context.withTranslation(Point(x: 2, y: 2)) {
                    context.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .red)
                }
            }
            try? context.withTranslation(Point(x: 5, y: 5)) { throw Stop() }
            context.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .black)
        }
        #expect(picture[x: 4, y: 3] == .opaqueRed)
        #expect(picture[x: 0, y: 0] == .opaqueBlack)
        #expect(picture.coveredArea == 2)
    }
}
