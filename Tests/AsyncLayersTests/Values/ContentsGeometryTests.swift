import AsyncLayers
import TestSupport
import Testing

@Suite("A picture in other bounds")
struct ContentsGeometryTests {
    typealias Slice = ContentsGeometry.Slice

    private let picture = ContentsGeometry(size: Size(width: 40, height: 20), scale: 2)
    private let bounds = Rect(x: 100, y: 50, width: 60, height: 60)

    // MARK: Whole

    @Test(
        "a picture keeps its shape within or around the bounds, at the place that is chosen",
        arguments: [
            (.aspectFit(), Rect(x: 100, y: 65, width: 60, height: 30)),
            (.aspectFit(x: 1, y: 0), Rect(x: 100, y: 50, width: 60, height: 30)),
            (.aspectFit(x: 0, y: 1), Rect(x: 100, y: 80, width: 60, height: 30)),
            (.aspectFill(), Rect(x: 70, y: 50, width: 120, height: 60)),
            (.aspectFill(x: 0, y: 1), Rect(x: 100, y: 50, width: 120, height: 60)),
            (.aspectFill(x: 1, y: 0), Rect(x: 40, y: 50, width: 120, height: 60)),
            (.pinned(x: 0.5, y: 1), Rect(x: 110, y: 90, width: 40, height: 20)),
            (.stretched, Rect(x: 100, y: 50, width: 60, height: 60)),
        ] as [(ContentsGeometry.Fit, Rect)])
    func fits(fit: ContentsGeometry.Fit, frame: Rect) {
        #expect(picture.frame(in: bounds, fit) == frame)
    }

    @Test("in bounds of the picture's own size every fit is the bounds")
    func sameSize() {
        let bounds = Rect(origin: bounds.origin, size: picture.size)
        for fit in [.stretched, .pinned(x: 0.3, y: 1), .aspectFit(), .aspectFill()] as [ContentsGeometry.Fit]
        {
            #expect(picture.frame(in: bounds, fit) == bounds)
        }
    }

    @Test("without an area, on either side, a picture that keeps its shape is shown without area")
    func withoutArea() {
        for size in [Size.zero, Size(width: 0, height: 5), Size(width: 5, height: -1)] {
            let picture = ContentsGeometry(size: size, scale: 1)
            #expect(picture.frame(in: bounds, .aspectFit()).isEmpty)
            #expect(picture.frame(in: bounds, .aspectFill()).isEmpty)
            #expect(picture.frame(in: bounds, .pinned(x: 0, y: 0)).isEmpty)
            #expect(self.picture.frame(in: Rect(size: size), .aspectFit()).isEmpty)
        }
    }

    @Test("the frame is not finite if a number of the bounds or of the fit is not")
    func notFinite() {
        func isFinite(_ rect: Rect) -> Bool {
            [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite)
        }
        for number in [Double.nan, .infinity, -.infinity] {
            let bounds = [
                Rect(x: number, y: 0, width: 9, height: 9), Rect(x: 0, y: number, width: 9, height: 9),
                Rect(x: 0, y: 0, width: number, height: 9), Rect(x: 0, y: 0, width: 9, height: number),
            ]
            for x in [0, 0.5, 1] {
                for bounds in bounds {
                    #expect(!isFinite(picture.frame(in: bounds, .pinned(x: x, y: x))))
                    #expect(!isFinite(picture.frame(in: bounds, .aspectFit(x: x, y: x))))
                    #expect(!isFinite(picture.frame(in: bounds, .aspectFill(x: x, y: x))))
                }
            }
            #expect(!isFinite(picture.frame(in: self.bounds, .aspectFit(x: number, y: 0))))
            #expect(!isFinite(picture.frame(in: self.bounds, .aspectFill(x: 0, y: number))))
        }
    }

    // MARK: In pieces

    @Test("edges keep their size, and what is between them is stretched")
    func ninePieces() {
        let slices = picture.slices(in: bounds, fixing: EdgeInsets(top: 2, left: 4, bottom: 6, right: 8))
        let columns = [(0.0, 4.0, 100.0, 4.0), (4, 28, 104, 48), (32, 8, 152, 8)]
        let rows = [(0.0, 2.0, 50.0, 2.0), (2, 12, 52, 52), (14, 6, 104, 6)]
        let expected = rows.flatMap { y in
            columns.map { x in
                [
                    Rect(x: x.0, y: y.0, width: x.1, height: y.1),
                    Rect(x: x.2, y: y.2, width: x.3, height: y.3),
                ]
            }
        }
        #expect(slices.map { [$0.source, $0.destination] } == expected)
    }

    @Test("without insets the picture is one piece; with those of two sides it is three")
    func fewPieces() {
        let whole = picture.slices(in: bounds, fixing: EdgeInsets())
        #expect(whole.map(\.source) == [Rect(size: picture.size)] && whole.map(\.destination) == [bounds])
        let bars = picture.slices(in: bounds, fixing: EdgeInsets(top: 5, bottom: 5))
        #expect(bars.map(\.source.size.height) == [5, 10, 5])
        #expect(bars.map(\.destination.size.height) == [5, 50, 5])
        #expect(bars.allSatisfy { $0.source.size.width == 40 && $0.destination.size.width == 60 })
    }

    @Test("in bounds that are too small the edges shrink by one factor, so corners keep their shape")
    func smallBounds() {
        let bounds = Rect(x: 0, y: 0, width: 6, height: 60)
        let slices = picture.slices(in: bounds, fixing: EdgeInsets(top: 2, left: 4, bottom: 2, right: 8))
        #expect(slices.count == 6, "no middle is between left and right")
        #expect(slices.prefix(2).map(\.source.size.width) == [4, 8])
        #expect(slices.map(\.destination.size.width) == [2, 4, 2, 4, 2, 4])
        #expect(slices.map(\.destination.size.height) == [1, 1, 58, 58, 1, 1])
    }

    @Test("insets that leave no middle share the picture in proportion, and are stretched")
    func largeInsets() {
        for (left, right) in [(10.0, 30.0), (13, 39)] {
            let slices = picture.slices(in: bounds, fixing: EdgeInsets(left: left, right: right))
            #expect(slices.map(\.source.size.width) == [10, 30])
            #expect(slices.map(\.destination.size.width) == [15, 45])
        }
        let halves = picture.slices(in: bounds, fixing: EdgeInsets(left: 50, right: .infinity))
        #expect(halves.map(\.source.size.width) == [20, 20], "an inset reaches no further than the picture")
        let one = picture.slices(in: bounds, fixing: EdgeInsets(left: .infinity))
        #expect(one.map(\.source) == [Rect(size: picture.size)] && one.map(\.destination) == [bounds])
    }

    @Test("negative insets and NaN read as none")
    func oddInsets() {
        let odd = EdgeInsets(top: -3, left: .nan, bottom: -.infinity, right: 8)
        let right = EdgeInsets(right: 8)
        #expect(picture.slices(in: bounds, fixing: odd) == picture.slices(in: bounds, fixing: right))
    }

    @Test("what is empty or not finite has no pieces")
    func noPieces() {
        let insets = EdgeInsets(1)
        for number in [0, -1, Double.nan, .infinity, -.infinity] {
            let flat = Size(width: number, height: 9)
            let thin = Size(width: 9, height: number)
            for size in [flat, thin] {
                #expect(ContentsGeometry(size: size, scale: 1).slices(in: bounds, fixing: insets).isEmpty)
                #expect(picture.slices(in: Rect(size: size), fixing: insets).isEmpty)
            }
            if !number.isFinite {
                #expect(picture.slices(in: bounds.moved(by: Point(x: number, y: 0)), fixing: insets).isEmpty)
                #expect(picture.slices(in: bounds.moved(by: Point(x: 0, y: number)), fixing: insets).isEmpty)
            }
        }
    }

    @Test("the pieces cover the bounds, side by side, and each is a piece of the picture")
    func cover() {
        var generator = SeededGenerator(seed: 3)
        func choose(_ numbers: [Double], orUpTo limit: Double) -> Double {
            (numbers + [.random(in: 0.01...limit, using: &generator)]).randomElement(using: &generator)!
        }
        func inset() -> Double { choose([0, 1, 7, 19.5, 40, 1_000, -5, .nan], orUpTo: 30) }
        func extent() -> Double { choose([0.1, 1, 20, 40], orUpTo: 90) }
        for _ in 0..<5_000 {
            let picture = ContentsGeometry(size: Size(width: extent(), height: extent()), scale: 1)
            let bounds = Rect(x: -7, y: 3, width: extent(), height: extent())
            let insets = EdgeInsets(top: inset(), left: inset(), bottom: inset(), right: inset())
            let slices = picture.slices(in: bounds, fixing: insets)
            #expect((1...9).contains(slices.count))
            var area = 0.0
            for slice in slices {
                #expect(!slice.source.isEmpty && !slice.destination.isEmpty)
                #expect(Rect(size: picture.size).inset(by: -1e-9).contains(slice.source))
                #expect(bounds.inset(by: -1e-9).contains(slice.destination))
                area += slice.destination.size.width * slice.destination.size.height
            }
            let whole = bounds.size.width * bounds.size.height
            #expect(abs(area - whole) <= 1e-9 * max(whole, 1), "\(picture) in \(bounds), \(insets)")
            for (index, slice) in slices.enumerated() {
                for other in slices[..<index] {
                    let common = slice.destination.intersection(other.destination)
                    #expect(common.map { min($0.size.width, $0.size.height) < 1e-9 } ?? true)
                }
            }
        }
    }
}
