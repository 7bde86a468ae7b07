import AsyncLayers
import BitmapRendering
import Testing

@Suite("Lines", .timeLimit(.minutes(15)))
struct StrokeTests {
    @Test("A line's coverage adds up to its length times its width and its round ends", arguments: 0..<12)
    func area(step: Int) throws {
        // Directions all around, from a table of Pythagorean triples so that no sine is needed.
        let directions = [(3.0, 4.0), (4, 3), (5, 0), (0, 5), (-3, 4), (-4, -3)]
        let (x, y) = directions[step % 6]
        for width in [1.0, 2.3, 7] {
            let picture = try bitmap(120, 120) {
                $0.strokeLine(
                    from: Point(x: 60.2 - x * 8, y: 60.7 - y * 8),
                    to: Point(x: 60.2 + x * 8, y: 60.7 + y * 8),
                    width: width, with: .black)
            }
            let expected = 80 * width + .pi * width * width / 4
            #expect(abs(picture.coveredArea - expected) < 0.012 * expected)
        }
    }

    @Test("A line along a row of pixels covers exactly that row")
    func alongRow() throws {
        let picture = try bitmap(20, 5) {
            $0.strokeLine(from: Point(x: -5, y: 2.5), to: Point(x: 25, y: 2.5), width: 1, with: .black)
        }
        #expect((0..<20).allSatisfy { picture.alpha($0, 2) == 255 })
        #expect(picture.coveredArea == 20)
    }

    @Test("A line thinner than a pixel is fainter, not thinner")
    func hairline() throws {
        let picture = try bitmap(20, 5) {
            $0.strokeLine(from: Point(x: -5, y: 2.5), to: Point(x: 25, y: 2.5), width: 0.25, with: .black)
        }
        #expect((0..<20).allSatisfy { picture.alpha($0, 2) == 64 })
        #expect(picture.alpha(3, 1) == 0)
    }

    @Test("A translucent polyline is not darker at its joints and crossings")
    func jointsAreNotDarker() throws {
        let points = [(5.0, 5.0), (55, 40), (50, 5), (10, 50), (10, 10), (55, 40)].map {
            Point(x: $0.0, y: $0.1)
        }
        let picture = try bitmap(60, 60) {
            $0.stroke(points, width: 6, with: .color(Color(white: 0, alpha: 0.5)))
        }
        #expect(picture.allPixels.map(\.alpha).max() == 128)
    }

    @Test("A line drawn back over itself is not heavier, at its edges neither")
    func retraced() throws {
        let points = [Point(x: 3, y: 4), Point(x: 24, y: 17), Point(x: 3, y: 4)]
        let once = try bitmap(30, 20) { $0.stroke(Array(points[0...1]), width: 3, with: .black) }
        let twice = try bitmap(30, 20) { $0.stroke(points, width: 3, with: .black) }
        var largest = 0
        for (first, second) in zip(once.allPixels, twice.allPixels) {
            largest = max(largest, abs(Int(first.alpha) - Int(second.alpha)))
        }
        // The two directions may differ in the last bit of a distance.
        #expect(largest <= 1)
        #expect(!once.isClear)
    }

    @Test("A polyline taller than the mask is the same as one drawn through a narrow clip at a time")
    func bandsDoNotShow() throws {
        let points = [(3.0, 2.0), (890, 700), (20, 660), (700, 30)].map { Point(x: $0.0, y: $0.1) }
        let paint = Paint.color(Color(white: 0.2, alpha: 0.7))
        let whole = try bitmap(900, 720) { $0.stroke(points, width: 9, with: paint) }
        let strips = try bitmap(900, 720) { context in
            for y in stride(from: 0.0, to: 720, by: 7) {
                context.withClip(Rect(x: 0, y: y, width: 900, height: min(7, 720 - y))) {
                    context.stroke(points, width: 9, with: paint)
                }
            }
        }
        #expect(whole.coveredArea > 10_000)
        #expect(whole.hasSamePixels(as: strips))
    }

    @Test("One point makes a dot, as does a line without length; no point makes nothing")
    func dots() throws {
        let point = Point(x: 10, y: 10)
        let dot = try bitmap(20, 20) { $0.stroke([point], width: 8, with: .black) }
        let line = try bitmap(20, 20) { $0.strokeLine(from: point, to: point, width: 8, with: .black) }
        #expect(abs(dot.coveredArea - 16 * .pi) < 0.5)
        #expect(dot.hasSamePixels(as: line))
        #expect(try bitmap(20, 20) { $0.stroke([], width: 8, with: .black) }.isClear)
    }

    @Test("A segment with an end that is not finite is left out, the others are drawn")
    func brokenSegments() throws {
        let points = [
            Point(x: 2, y: 2), Point(x: 8, y: 2), Point(x: .nan, y: 5), Point(x: 2, y: 8), Point(x: 8, y: 8),
        ]
        let broken = try bitmap(10, 10) { $0.stroke(points, width: 2, with: .black) }
        let apart = try bitmap(10, 10) {
            $0.stroke(Array(points[0...1]), width: 2, with: .black)
            $0.stroke(Array(points[3...4]), width: 2, with: .black)
        }
        #expect(broken.hasSamePixels(as: apart))
        #expect(!broken.isClear)
    }
}
