import AsyncLayers
import CairoRendering
import FeedKit
import Foundation

/// What a GeoJSON object shows (RFC 7946), in its own coordinates.
struct GeoJSON: Decodable {
    enum Kind { case dots, lines, area }

    /// A geometry, with the name of its feature.
    struct Shape {
        let kind: Kind
        let lines: [[Position]]
        var name: String?
    }

    /// Longitude and latitude, say; what comes behind them is not used.
    struct Position: Decodable {
        static let limit = 1e9

        let (x, y): (Double, Double)

        init(from decoder: any Decoder) throws {
            var numbers = try decoder.unkeyedContainer()
            (x, y) = (try numbers.decode(Double.self), try numbers.decode(Double.self))
            guard abs(x) <= Self.limit, abs(y) <= Self.limit else {
                throw DecodingError.dataCorruptedError(in: numbers, debugDescription: "no such place")
            }
        }
    }

    private(set) var shapes: [Shape] = []

    private enum Key: CodingKey { case type, features, geometries, geometry, properties, coordinates }
    private struct Properties: Decodable { let name: String? }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        func read<Value: Decodable>(_ key: Key) throws -> Value { try object.decode(Value.self, forKey: key) }
        func parts(_ key: Key) throws -> [Shape] { try (read(key) as [GeoJSON]).flatMap(\.shapes) }
        func shape(_ kind: Kind, _ lines: [[Position]]) -> [Shape] { [Shape(kind: kind, lines: lines)] }
        switch try read(.type) as String {
        case "FeatureCollection": shapes = try parts(.features)
        case "GeometryCollection": shapes = try parts(.geometries)
        case "Feature":
            shapes = try object.decodeIfPresent(GeoJSON.self, forKey: .geometry)?.shapes ?? []
            // Properties may be anything, and so may a name.
            let properties = try? object.decode(Properties.self, forKey: .properties)
            if !shapes.isEmpty { shapes[0].name = properties?.name }
        case "Point": shapes = shape(.dots, [[try read(.coordinates)]])
        case "MultiPoint": shapes = shape(.dots, [try read(.coordinates)])
        case "LineString": shapes = shape(.lines, [try read(.coordinates)])
        case "MultiLineString": shapes = shape(.lines, try read(.coordinates))
        case "Polygon": shapes = shape(.area, try read(.coordinates))
        case "MultiPolygon": shapes = shape(.area, (try read(.coordinates) as [[[Position]]]).flatMap { $0 })
        case let type:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: object, debugDescription: "there is no type '\(type)'")
        }
    }
}

extension GeoJSON {
    private static let byteLimit = 64 << 20

    /// Reads a file, which may have any contents, of any length. Not a pipe, whose end may never come.
    init(contentsOfFile path: String) throws(ProgramError) {
        func error(_ reason: String) -> ProgramError { ProgramError(.badData, "'\(path)' \(reason)") }
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO else {
            throw ProgramError(.noInput, "'\(path)' is a pipe, not a file")
        }
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: Self.byteLimit + 1) ?? Data()
        else { throw ProgramError(.noInput, "'\(path)' cannot be read") }
        guard data.count <= Self.byteLimit else { throw error("has more than \(Self.byteLimit >> 20) MiB") }
        do { self = try JSONDecoder().decode(GeoJSON.self, from: data) } catch let failure {
            throw error("is not GeoJSON: \(failure)")
        }
        if shapes.allSatisfy({ $0.lines.allSatisfy(\.isEmpty) }) { throw error("shows nothing") }
    }

    /// Makes a scene, whose page it fills but for a margin, with north at the top.
    ///
    /// - Parameter report: called for each name that cannot be shown, and is left out.
    func scene(size: Size, report: (String) -> Void = { _ in }) -> Scene {
        let places = shapes.lazy.flatMap(\.lines).flatMap { $0 }
        let (xs, ys) = (places.map(\.x), places.map(\.y))
        let low = Point(x: xs.min() ?? 0, y: ys.min() ?? 0)
        let bounds = Rect(from: low, to: Point(x: xs.max() ?? 0, y: ys.max() ?? 0))
        let scale = min(size.width, size.height) * 0.9 / max(bounds.size.width, bounds.size.height, 1e-9)
        var (items, labels): ([Scene.Item], [Scene.Item]) = ([], [])
        for (number, shape) in shapes.enumerated() {
            let lines = shape.lines.map { line in
                line.map {
                    let way = Point(x: $0.x, y: $0.y) - bounds.center
                    return Rect(size: size).center + Point(x: way.x, y: -way.y) * scale
                }
            }
            let color = Palette.shapes[number % Palette.shapes.count]
            let frame = Self.frame(around: lines.joined())
            if shape.kind == .dots {
                items += lines.joined().map { Self.item(around: $0, 40, 40, .box(color, cornerRadius: 20)) }
            } else {
                let path = Scene.Item.Kind.path(lines, isClosed: shape.kind == .area, color)
                items.append(Scene.Item(frame: frame, kind: path))
            }
            guard let name = shape.name?.prefix(80), !name.isEmpty, !frame.isEmpty else { continue }
            // A few sizes, since Cairo keeps a font for each.
            let extent = min(max(frame.size.width / Double(name.count), 24), 400)
            let size = pow(1.5, (log(extent) / log(1.5)).rounded(.down))
            // To lay out each name would take seconds for a large map.
            if name.contains(where: { $0.unicodeScalars.count > 8 }) {
                do { _ = try TextLayout(Scene.richText(String(name), size: size, Palette.ink)) } catch {
                    report("the name of shape \(number + 1) cannot be shown: \(error)")
                    continue
                }
            }
            let label = Scene.Item.Kind.label(String(name), size: size, Palette.ink)
            labels.append(Self.item(around: frame.center, size * Double(name.count), size * 1.6, label))
        }
        return Scene(size: size, items: items + labels)
    }

    private static func item(
        around center: Point, _ width: Double, _ height: Double, _ kind: Scene.Item.Kind
    ) -> Scene.Item {
        Scene.Item(frame: Rect(center: center, size: Size(width: width, height: height)), kind: kind)
    }

    /// With room for a line of a pixel at the smallest scale; empty without a point.
    private static func frame(around points: some Sequence<Point>) -> Rect {
        let room = Size(width: 1, height: 1) * (1 / Viewport.scales.lowerBound)
        return points.reduce(Rect.zero) { $0.union(Rect(center: $1, size: room)) }
    }
}
