import AsyncLayers
import CairoRendering
import FeedKit
import Foundation

/// Makes a scene from a seed: the same one for the same seed.
struct SceneGenerator {
    private static let pictureCount = 12
    /// Of labels. A few, since Cairo keeps a font for each.
    private static let sizes = [12.0, 16, 21, 28, 37]
    private static let words = [
        "harbour", "meadow", "Tide", "north", "quarry", "Lantern", "orchard", "river", "Slate", "copper",
        "window", "garden", "Æther", "façade", "Straße", "étude", "12 km", "No. 7", "west", "signal",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// - Parameters:
    ///   - count: of the items.
    ///   - free: where nothing is to stand.
    mutating func scene(count: Int, free: Rect) throws -> Scene {
        let pictures = try (0..<Self.pictureCount).map { _ in try picture() }
        var items: [Scene.Item] = []
        while items.count < count {
            let item = item()
            if !item.frame.intersects(free) { items.append(item) }
        }
        return Scene(size: Scene.size, items: items, pictures: pictures)
    }

    private mutating func item() -> Scene.Item {
        func item(_ width: Double, _ height: Double, _ kind: (Rect) -> Scene.Item.Kind) -> Scene.Item {
            let x = random.number(in: 0...Scene.size.width - width)
            let y = random.number(in: 0...Scene.size.height - height)
            let frame = Rect(x: x, y: y, width: width, height: height)
            return Scene.Item(frame: frame, kind: kind(frame))
        }
        let color = random.element(of: Palette.shapes).with(alpha: random.number(in: 0.35...0.9))
        let extent = random.number(in: 30.0...240)
        switch random.number(in: 0...9) {
        case 0...3:
            let radius = random.number(in: 0.0...extent / 2)
            return item(extent * 1.3, extent) { _ in .box(color, cornerRadius: radius) }
        case 4...5:
            let corners = random.number(in: 3...8)
            return item(extent, extent) { frame in
                .path([Self.polygon(in: frame, corners: corners)], isClosed: true, color.with(alpha: 1))
            }
        case 6...7:
            let number = random.number(in: 0...Self.pictureCount - 1)
            return item(extent, extent) { _ in .picture(number) }
        default:
            let words = (0..<random.number(in: 1...4)).map { _ in random.element(of: Self.words) }
            let (text, size) = (words.joined(separator: " "), random.element(of: Self.sizes))
            // No letter is wider than it is high.
            return item(size * Double(text.count), size * 1.6) { _ in
                .label(text, size: size, color.with(alpha: 1))
            }
        }
    }

    /// A polygon with equal sides.
    private static func polygon(in frame: Rect, corners: Int) -> [Point] {
        (0..<corners).map { number in
            let angle = Double(number) / Double(corners) * 2 * .pi
            let radius = frame.size.width / 2 - Scene.lineWidth
            return frame.center + Point(x: cos(angle), y: sin(angle)) * radius
        }
    }

    /// A small picture: discs of two colours within each other.
    private mutating func picture() throws -> CairoImage {
        let (renderer, frame) = (CairoRenderer(), Rect(x: 0, y: 0, width: 96, height: 96))
        let context = try renderer.makeContext(
            ContextDescription(pixelWidth: 96, pixelHeight: 96, isOpaque: true))
        let colors = [random.element(of: Palette.shapes), random.element(of: Palette.shapes)]
        let step = random.number(in: 3.0...9)
        context.fill(frame, with: colors[1])
        for number in 0...Int(48 / step) {
            let disc = frame.inset(by: Double(number) * step)
            context.fill(disc, cornerRadius: 48, with: colors[number % 2])
        }
        return try renderer.makeContents(from: context)
    }
}
