import AsyncLayers
import BitmapRendering
import Testing

@Suite("Clips", .timeLimit(.minutes(15)))
struct ClipTests {
    @Test("A fill within a clip is a fill of the clip", arguments: [0.0, 3, 7.7])
    func fillOfClip(radius: Double) throws {
        let rect = Rect(x: 2.25, y: 3.5, width: 20.5, height: 15.75)
        let clipped = try bitmap(30, 30) { context in
            context.withClip(rect, cornerRadius: radius) { context.fill(with: .red) }
        }
        let filled = try bitmap(30, 30) { $0.fill(rect, cornerRadius: radius, with: .red) }
        #expect(clipped.hasSamePixels(as: filled))
    }

    @Test("Clips within clips show what lies in all of them, and end with their closures")
    func nesting() throws {
        let picture = try bitmap(10, 10) { context in
            context.withClip(Rect(x: 0, y: 0, width: 6, height: 10)) {
                context.withClip(Rect(x: 3, y: 2, width: 7, height: 4)) { context.fill(with: .red) }
                context.fill(Rect(x: 0, y: 9, width: 10, height: 1), with: .black)
            }
            context.fill(Rect(x: 9, y: 0, width: 1, height: 1), with: .black)
        }
        for y in 0..<10 {
            for x in 0..<10 {
                let isRed = (3..<6).contains(x) && (2..<6).contains(y)
                let isBlack = (y == 9 && x < 6) || (x == 9 && y == 0)
                #expect(picture[x: x, y: y] == (isRed ? .opaqueRed : isBlack ? .opaqueBlack : .nothing))
            }
        }
    }

    @Test("Coverages of anti-aliased clips multiply")
    func softEdgesMultiply() throws {
        let picture = try bitmap(4, 4) { context in
            context.withClip(Rect(x: 0.5, y: 0, width: 3, height: 4)) {
                context.withClip(Rect(x: 0, y: 0.5, width: 4, height: 3)) {
                    context.fill(Rect(x: 0.5, y: 0, width: 3, height: 4), with: .black)
                }
            }
        }
        // 128, cut to 128 ⁄ 255 once and again.
        #expect(picture.alpha(0, 1) == 64)
        #expect(picture.alpha(0, 0) == 32)
        #expect(picture.alpha(1, 1) == 255)
    }

    @Test("A clip moves with the translation that it is made in")
    func translated() throws {
        let picture = try bitmap(10, 10, scale: 2) { context in
            context.withTranslation(Point(x: 1, y: 2)) {
                context.withClip(Rect(x: 1, y: 0, width: 2, height: 1)) { context.fill(with: .red) }
            }
        }
        #expect(picture.coveredArea == 8)
        #expect(picture[x: 4, y: 4] == .opaqueRed && picture[x: 7, y: 5] == .opaqueRed)
    }

    @Test("Text and lines within a round clip are cut as fills are")
    func textAndLines() throws {
        let rect = Rect(x: 4, y: 4, width: 52, height: 32)
        let font = StrokeFont(size: 30, weight: .bold)
        func draw(_ context: BitmapContext) {
            context.draw("WXYZ", baseline: Point(x: 0, y: 34), font: font, color: .black)
            context.strokeLine(from: .zero, to: Point(x: 60, y: 40), width: 3, with: .black)
        }
        let free = try bitmap(60, 40, draw)
        let window = try bitmap(60, 40) { $0.fill(rect, cornerRadius: 12, with: .black) }
        let clipped = try bitmap(60, 40) { context in
            context.withClip(rect, cornerRadius: 12) { draw(context) }
        }
        var wrong = 0
        for y in 0..<40 {
            for x in 0..<60 {
                switch window.alpha(x, y) {
                case 255 where clipped.alpha(x, y) != free.alpha(x, y): wrong += 1
                case 0 where clipped.alpha(x, y) != 0: wrong += 1
                default: break
                }
            }
        }
        #expect(wrong == 0)
        #expect(clipped.coveredArea > 100)
    }

    @Test("An empty clip, and one that is not finite, hide everything")
    func emptyClips() throws {
        for side in [0, -5, Double.nan, .infinity] {
            let picture = try bitmap(8, 8) { context in
                context.withClip(Rect(x: 1, y: 1, width: side, height: 5)) {
                    context.fill(with: .red)
                    context.strokeLine(from: .zero, to: Point(x: 8, y: 8), width: 3, with: .red)
                    context.draw("A", baseline: Point(x: 0, y: 8), font: StrokeFont(size: 10), color: .black)
                }
            }
            #expect(picture.isClear)
        }
    }
}
