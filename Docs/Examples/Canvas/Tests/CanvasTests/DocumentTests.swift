import AsyncLayers
import FeedKit
import Foundation
import Testing

@testable import Canvas

@Suite("The document")
struct DocumentTests {
    @Test("finds exactly what touches an area, once, in order")
    func index() {
        var random = SeededGenerator(seed: 1)
        func frame(_ width: Double, _ height: Double) -> Rect {
            Rect(
                x: random.number(in: -100.0...2_000), y: random.number(in: -100.0...1_000),
                width: random.number(in: 0...width), height: random.number(in: 0...height))
        }
        let frames = (0..<400).map { frame($0 % 40 == 0 ? 2_000 : 700, 300) } + [.zero]
        let index = GridIndex(frames, size: Size(width: 2_000, height: 1_000), cellExtent: 50)
        let areas =
            (0..<300).map { _ in frame(700, 300) } + [.zero, Rect(x: 0, y: 0, width: 9e9, height: 9e9)]
        for area in areas {
            #expect(index.numbers(in: area) == frames.indices.filter { frames[$0].intersects(area) })
        }
    }

    @Test("of a seed is the same each time, lies within the page, and leaves the text's place free")
    func seeds() throws {
        func generate(_ seed: UInt64) throws -> Scene {
            var generator = SceneGenerator(seed: seed)
            return try generator.scene(
                count: 500, free: Rect(x: 5_000, y: 5_000, width: 9_000, height: 9_000))
        }
        let (scene, page) = (try generate(7), Rect(size: Scene.size))
        #expect(try generate(7).items == scene.items && generate(8).items != scene.items)
        #expect(scene.items.allSatisfy { page.contains($0.frame) })
        #expect(scene.numbers(in: Rect(x: 5_001, y: 5_001, width: 8_998, height: 8_998)).isEmpty)
        #expect(scene.numbers(in: page).count == 500)
    }

    private func scene(of json: String) throws -> Scene {
        try JSONDecoder().decode(GeoJSON.self, from: Data(json.utf8)).scene(size: Scene.size)
    }

    @Test("shows each geometry of a GeoJSON file, as wide as the page, north at the top")
    func geometries() throws {
        let scene = try scene(
            of: """
                {"type": "FeatureCollection", "bbox": [0], "features": [
                {"type": "Feature", "properties": {"name": "Isle", "area": 3}, "geometry":
                {"type": "Polygon", "coordinates": [[[-10, 0, 7], [10, 0], [10, 5], [-10, 0]]]}},
                {"type": "Feature", "properties": {"name": 7}, "geometry": {"type": "GeometryCollection",
                "geometries": [{"type": "Point", "coordinates": [10, 5]},
                {"type": "MultiPoint", "coordinates": [[1, 1], [2, 2]]},
                {"type": "LineString", "coordinates": [[0, 0], [1, 1]]},
                {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], []]}]}},
                {"type": "Feature", "properties": null, "geometry": null},
                {"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1]]], [[[2, 2], [3, 2], [3, 3]]]]}]}
                """)
        #expect(scene.items.count == 8)
        guard case .path(let rings, isClosed: true, _) = scene.items[0].kind,
            case .label("Isle", _, _) = scene.items[7].kind
        else { return #expect(Bool(false), "\(scene.items)") }
        #expect(rings[0][0] == Point(x: 1_000, y: 12_250) && rings[0][2] == Point(x: 19_000, y: 7_750))
        #expect(scene.items[7].frame.center == scene.items[0].frame.center)
        #expect(scene.items[1].frame.center == rings[0][2])
    }

    @Test("leaves out a name that cannot be set, says so, and shows the rest")
    func name() throws {
        let name = "a" + String(repeating: "\u{301}", count: 33)
        let json = """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "\(name)"},
            "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},
            {"type": "Feature", "properties": {"name": "Isle"}, "geometry":
            {"type": "LineString", "coordinates": [[0, 1], [1, 0]]}}]}
            """
        var problems: [String] = []
        let document = try JSONDecoder().decode(GeoJSON.self, from: Data(json.utf8))
        let scene = document.scene(size: Scene.size) { problems.append($0) }
        #expect(scene.items.count == 3)
        #expect(problems.count == 1 && problems.allSatisfy { $0.contains("the name of shape 1") })
    }

    @Test("of one place is in the middle of the page")
    func onePlace() throws {
        let scene = try scene(of: #"{"type": "Point", "coordinates": [1e9, -1e9]}"#)
        #expect(scene.items.map(\.frame.center) == [Rect(size: Scene.size).center])
    }
}
