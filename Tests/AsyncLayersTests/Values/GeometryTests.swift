import AsyncLayers
import TestSupport
import Testing

@Suite("Points, sizes and rectangles")
struct GeometryTests {
    private let rect = Rect(x: 10, y: 20, width: 30, height: 40)

    /// None of these has a point in it.
    private static let emptyRects = [
        .zero, Rect(x: 15, y: 25, width: 0, height: 5), Rect(x: 15, y: 25, width: 5, height: 0),
        Rect(x: 15, y: 25, width: -3, height: 5), Rect(x: 15, y: 25, width: -3, height: -3),
        Rect(x: .nan, y: 25, width: 5, height: 5), Rect(x: 15, y: .nan, width: 5, height: 5),
        Rect(x: 15, y: 25, width: .nan, height: 5), Rect(x: 15, y: 25, width: 5, height: .nan),
        Rect(x: -.infinity, y: 25, width: 5, height: 5),
        Rect(x: -.infinity, y: -.infinity, width: .infinity, height: .infinity),
        Rect(x: .infinity, y: 25, width: 5, height: 5), Rect(x: 1e300, y: 25, width: 1, height: 5),
    ]

    @Test("points are added and subtracted by coordinates, and scale about the origin, as sizes do")
    func points() {
        #expect(Point(x: 1, y: 2) + Point(x: 10, y: -20) == Point(x: 11, y: -18))
        #expect(Point(x: 1, y: 2) - Point(x: 10, y: -20) == Point(x: -9, y: 22))
        #expect(Point(x: 1, y: -2) * 1.5 == Point(x: 1.5, y: -3))
        #expect(Size(width: 3, height: 4) * 2 == Size(width: 6, height: 8))
        #expect(rect * 0.5 == Rect(x: 5, y: 10, width: 15, height: 20))
    }

    @Test("values are printed by their numbers")
    func descriptions() {
        #expect("\(Point(x: 1, y: 2.5))" == "(1.0, 2.5)")
        #expect("\(Size(width: 320, height: .nan))" == "320.0 × nan")
        #expect("\(rect)" == "(10.0, 20.0), 30.0 × 40.0")
    }

    @Test("a rectangle between two corners is the same in any order of them")
    func corners() {
        for (left, right) in [(10.0, 40.0), (40, 10)] {
            for (top, bottom) in [(20.0, 60.0), (60, 20)] {
                #expect(Rect(from: Point(x: left, y: top), to: Point(x: right, y: bottom)) == rect)
            }
        }
        #expect(Rect(from: Point(x: .nan, y: 0), to: Point(x: 1, y: 1)).isEmpty)
    }

    @Test("the middle is half way between the edges, and a rectangle is made around it")
    func middle() {
        #expect(rect.midX == 25 && rect.midY == 40 && rect.center == Point(x: 25, y: 40))
        #expect(Rect(center: rect.center, size: rect.size) == rect)
        #expect(Rect(center: Point(x: 1, y: 2), size: .zero) == Rect(x: 1, y: 2, width: 0, height: 0))
    }

    @Test("the left and top edges belong to a rectangle, the right and bottom ones do not")
    func edges() {
        for (x, isInside) in [(9.9, false), (10, true), (39.9, true), (40, false), (.nan, false)] {
            #expect(rect.contains(Point(x: x, y: 30)) == isInside)
        }
        for (y, isInside) in [(19.9, false), (20, true), (59.9, true), (60, false), (.nan, false)] {
            #expect(rect.contains(Point(x: 20, y: y)) == isInside)
        }
    }

    @Test("an empty rectangle takes part in nothing", arguments: emptyRects)
    func empty(empty: Rect) {
        #expect(empty.isEmpty)
        #expect(!rect.intersects(empty) && !empty.intersects(rect) && !empty.intersects(empty))
        #expect(rect.intersection(empty) == nil && empty.intersection(rect) == nil)
        #expect(rect.union(empty) == rect && empty.union(rect) == rect)
        #expect(rect.contains(empty) && !empty.contains(rect))
        for place in [empty.origin, empty.center, rect.origin, .zero] { #expect(!empty.contains(place)) }
        #expect(empty.integral.isEmpty)
    }

    @Test("an infinite extent reaches to the right, or downwards, without end")
    func infinite() {
        let half = Rect(x: 20, y: -1e9, width: .infinity, height: 2e9)
        #expect(!half.isEmpty && half.contains(Point(x: 1e300, y: 0)))
        #expect(!half.contains(Point(x: 19, y: 0)))
        #expect(half.intersection(rect) == Rect(x: 20, y: 20, width: 20, height: 40))
        #expect(rect.union(half) == Rect(x: 10, y: -1e9, width: .infinity, height: 2e9))
        #expect(half.contains(rect.moved(by: Point(x: 10, y: 0))) && !half.contains(rect))
        #expect(half.integral == half && half.inset(by: 1).maxX == .infinity)
    }

    @Test("rectangles whose edges touch do not intersect")
    func touching() {
        for distance in [Point(x: 30, y: 0), Point(x: -30, y: 0), Point(x: 0, y: 40), Point(x: 0, y: -40)] {
            let neighbor = rect.moved(by: distance)
            #expect(!rect.intersects(neighbor) && rect.intersection(neighbor) == nil)
            #expect(rect.inset(by: -0.5).intersects(neighbor))
        }
    }

    @Test("intersections and unions have the points that they should have")
    func algebra() {
        var generator = SeededGenerator(seed: 7)
        func number() -> Double { Double(Int.random(in: -6...6, using: &generator)) }
        for _ in 0..<1_000 {
            let rects = (0..<2).map { _ in Rect(x: number(), y: number(), width: number(), height: number()) }
            let common = rects[0].intersection(rects[1])
            let around = rects[0].union(rects[1])
            #expect(common == rects[1].intersection(rects[0]) && common?.isEmpty != true)
            #expect(rects[0].intersects(rects[1]) == (common != nil))
            #expect(around.isEmpty == (rects[0].isEmpty && rects[1].isEmpty))
            var isWithin = true
            for x in stride(from: -13.0, through: 13, by: 1) {
                for y in [-12.5, -3, 0, 1, 5.5, 12.5] {
                    let point = Point(x: x, y: y)
                    let inside = rects.map { $0.contains(point) }
                    if (inside == [true, true]) != (common?.contains(point) ?? false)
                        || inside != [false, false] && !around.contains(point)
                    {
                        isWithin = false
                    }
                }
            }
            #expect(isWithin, "\(rects)")
            #expect(rects.allSatisfy { around.contains($0) })
            if rects[0].contains(rects[1]) { #expect(around == rects[0] || rects[0].isEmpty) }
            if let common { #expect(rects.allSatisfy { $0.contains(common) }) }
        }
    }

    @Test("insets move each edge, and edges that would cross meet in the middle between them")
    func insets() {
        let insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(rect.inset(by: insets) == Rect(x: 12, y: 21, width: 24, height: 36))
        #expect(rect.inset(by: 5) == Rect(x: 15, y: 25, width: 20, height: 30))
        #expect(rect.inset(by: -5) == Rect(x: 5, y: 15, width: 40, height: 50))
        #expect(rect.inset(by: EdgeInsets()) == rect)
        #expect(rect.inset(by: 15) == Rect(x: 25, y: 35, width: 0, height: 10))
        #expect(rect.inset(by: 100) == Rect(x: 25, y: 40, width: 0, height: 0))
        #expect(rect.inset(by: EdgeInsets(left: 40)) == Rect(x: 45, y: 20, width: 0, height: 40))
        #expect(rect.inset(by: .nan).isEmpty && rect.inset(by: .infinity).isEmpty)
    }

    @Test("the integral rectangle is the smallest of whole pixels around another")
    func integral() {
        #expect(rect.integral == rect)
        let damage = Rect(x: -0.25, y: 1.25, width: 1, height: 2)
        #expect(damage.integral == Rect(x: -1, y: 1, width: 2, height: 3))
        #expect((damage * 2).integral == Rect(x: -1, y: 2, width: 3, height: 5))
        #expect((damage * 4).integral == damage * 4)
    }
}
