import AsyncLayers
import FeedKit
import Testing

@testable import Canvas

@Suite("The document's index")
struct GridIndexTests {
    private let size = Size(width: 2_000, height: 1_000)

    private func frames(_ random: inout SeededGenerator, count: Int) -> [Rect] {
        (0..<count).map { _ in
            Rect(
                x: random.number(in: -100.0...2_000), y: random.number(in: -100.0...1_000),
                width: random.number(in: 0.0...700), height: random.number(in: 0.0...300))
        }
    }

    @Test("finds exactly what touches an area, once, in order")
    func exact() {
        var random = SeededGenerator(seed: 1)
        let frames = frames(&random, count: 400)
        let index = GridIndex(frames, size: size, cellExtent: 150)
        for area in self.frames(&random, count: 300) + [
            Rect(size: size), Rect(x: -9, y: -9, width: 1, height: 1),
        ] {
            let expected = frames.indices.filter { !frames[$0].isEmpty && frames[$0].intersects(area) }
            #expect(index.numbers(in: area) == (area.isEmpty ? [] : expected))
        }
    }

    @Test("finds nothing where there is nothing")
    func empty() {
        #expect(GridIndex([], size: .zero).numbers(in: Rect(size: size)) == [])
        #expect(GridIndex([Rect(size: size)], size: size).numbers(in: .zero) == [])
    }
}

@Suite("A generated scene")
struct SceneGeneratorTests {
    private func scene(_ seed: UInt64, _ count: Int = 500) throws -> Scene {
        var generator = SceneGenerator(seed: seed)
        return try generator.scene(count: count, free: Rect(x: 5_000, y: 5_000, width: 9_000, height: 9_000))
    }

    @Test("is the same for the same seed, lies within the page, and leaves the frame's place free")
    func seeds() throws {
        let scene = try scene(7)
        #expect(try scene.items == self.scene(7).items)
        #expect(try scene.items != self.scene(8).items)
        let page = Rect(size: scene.size)
        #expect(scene.items.allSatisfy { page.contains($0.frame) })
        #expect(scene.numbers(in: Rect(x: 5_001, y: 5_001, width: 8_998, height: 8_998)).isEmpty)
        #expect(scene.numbers(in: page).count == 500)
    }
}
