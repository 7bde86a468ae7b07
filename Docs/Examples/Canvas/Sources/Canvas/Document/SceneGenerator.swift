import AsyncLayers
import CairoRendering
import FeedKit

/// Makes a scene from a seed: the same one for the same seed.
struct SceneGenerator {
    static let size = Size(width: 20_000, height: 20_000)
    private static let pictureExtent = 96

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// - Parameters:
    ///   - count: of the items.
    ///   - free: where nothing is to stand.
    mutating func scene(count: Int, free: Rect) throws -> Scene {
        let pictures = try (0..<12).map { _ in try picture() }
        var items: [Scene.Item] = []
        while items.count < count {
            let item = item(pictureCount: pictures.count)
            if !item.frame.intersects(free) { items.append(item) }
        }
        return Scene(size: Self.size, items: items, pictures: pictures)
    }

    private mutating func item(pictureCount: Int) -> Scene.Item {
        func frame(_ width: Double, _ height: Double) -> Rect {
            let x = random.number(in: 0...Self.size.width - width)
            return Rect(
                x: x, y: random.number(in: 0...Self.size.height - height), width: width, height: height)
        }
        var color = random.element(of: Palette.shapes)
        switch random.number(in: 0...9) {
        case 0...3:
            color.alpha = random.number(in: 0.35...0.9)
            let frame = frame(random.number(in: 30.0...320), random.number(in: 30.0...240))
            return Scene.Item(frame: frame, kind: .box(color, cornerRadius: random.number(in: 0.0...40)))
        case 4:
            color.alpha = 0.6
            let extent = random.number(in: 20.0...220)
            return Scene.Item(frame: frame(extent, extent), kind: .box(color, cornerRadius: extent / 2))
        case 5:
            let extent = random.number(in: 40.0...260)
            return Scene.Item(frame: frame(extent, extent), kind: .ring(color, width: extent / 12))
        case 6...7:
            let extent = random.number(in: 60.0...200)
            return Scene.Item(
                frame: frame(extent, extent), kind: .picture(random.number(in: 0...pictureCount - 1)))
        default:
            let size = random.number(in: 11.0...44)
            let words = (0..<random.number(in: 1...4)).map { _ in random.element(of: Self.words) }
            let text = words.joined(separator: " ")
            // No letter is wider than it is high.
            let frame = frame(size * Double(text.count), size * 1.6)
            return Scene.Item(frame: frame, kind: .label(text, size: size, color))
        }
    }

    /// A small picture: rings of two colours.
    private mutating func picture() throws -> CairoImage {
        let (inner, outer) = (random.element(of: Palette.shapes), random.element(of: Palette.shapes))
        let (x, y) = (random.number(in: 10.0...86), random.number(in: 10.0...86))
        let waves = random.number(in: 0.02...0.08)
        let extent = Self.pictureExtent
        return try CairoImage(pixelWidth: extent, pixelHeight: extent, isOpaque: true) { bytes, bytesPerRow in
            for number in 0..<extent * extent {
                let (row, column) = number.quotientAndRemainder(dividingBy: extent)
                let (dx, dy) = (Double(column) - x, Double(row) - y)
                let share = ((dx * dx + dy * dy) * waves * waves).truncatingRemainder(dividingBy: 2)
                let mix = share < 1 ? share : 2 - share
                func byte(_ a: Double, _ b: Double) -> UInt32 { UInt32((a + (b - a) * mix) * 255) }
                let red = byte(inner.red, outer.red)
                let pixel = red << 16 | byte(inner.green, outer.green) << 8 | byte(inner.blue, outer.blue)
                bytes.storeBytes(of: pixel, toByteOffset: row * bytesPerRow + 4 * column, as: UInt32.self)
            }
        }
    }

    private static let words = [
        "harbour", "meadow", "Tide", "north", "quarry", "Lantern", "orchard", "river", "Slate", "copper",
        "window", "garden", "Æther", "façade", "Straße", "étude", "12 km", "No. 7", "west", "signal",
    ]
}
