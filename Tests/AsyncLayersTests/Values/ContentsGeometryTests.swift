import AsyncLayers
import TestSupport
import Testing

@Suite("A picture in other bounds")
struct ContentsGeometryTests {
    private let picture = ContentsGeometry(size: Size(width: 40, height: 20), scale: 2)
    private let bounds = Rect(x: 100, y: 50, width: 60, height: 60)

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
}
