import AsyncLayers
import Testing

@Suite("Transforms")
struct LayerTransformTests {
    private let point = Point(x: 3, y: -2)

    private func isClose(_ first: Point, _ second: Point) -> Bool {
        abs(first.x - second.x) < 1e-12 && abs(first.y - second.y) < 1e-12
    }

    @Test("move, scale, turn")
    func simple() {
        #expect(LayerTransform.identity.apply(to: point) == point)
        #expect(LayerTransform.translation(x: 1, y: 2).apply(to: point) == Point(x: 4, y: 0))
        #expect(LayerTransform.scale(x: 2, y: -3).apply(to: point) == Point(x: 6, y: 6))
        #expect(LayerTransform.rotation(.pi / 2).apply(to: Point(x: 1, y: 0)) == Point(x: 0, y: 1))
    }

    @Test("quarter turns are exact")
    func quarterTurns() {
        for (turns, cosine, sine) in [(1.0, 0.0, 1.0), (2, -1, 0), (3, 0, -1), (4, 1, 0), (-1, 0, -1)] {
            let turn = LayerTransform.rotation(turns * .pi / 2)
            #expect(turn == LayerTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0))
        }
    }

    @Test("in a chain the first one is applied first")
    func chain() {
        let chain = LayerTransform.scale(x: 2, y: 3).concatenating(.translation(x: 10, y: 20))
            .concatenating(.rotation(.pi / 2))
        #expect(chain.apply(to: point) == Point(x: -14, y: 16))
    }

    @Test("the inverse undoes a transform")
    func inverse() throws {
        let transform = LayerTransform(a: 2, b: 0.5, c: -1, d: 3, tx: 7, ty: -9)
        let inverse = try #require(transform.inverted())
        #expect(isClose(inverse.apply(to: transform.apply(to: point)), point))
        #expect(isClose(transform.concatenating(inverse).apply(to: point), point))
    }

    @Test("what cannot be undone has no inverse")
    func singular() {
        #expect(LayerTransform.scale(x: 0, y: 1).inverted() == nil)
        #expect(LayerTransform(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverted() == nil)
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(LayerTransform.translation(x: bad, y: 0).inverted() == nil)
            #expect(LayerTransform.scale(x: bad, y: 1).inverted() == nil)
            #expect(LayerTransform.rotation(bad).inverted() == nil)
        }
        for extreme in [1e300, 1e-300] {
            #expect(LayerTransform.scale(x: extreme, y: extreme).inverted() == nil)
        }
    }
}
