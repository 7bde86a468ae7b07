import BitmapRendering
import TestSupport
import Testing

@testable import AsyncLayers

extension CompositionTests {
    /// A mask whose edges let a share of a pixel through.
    enum SoftMask: CaseIterable {
        case round, betweenPixels, turned
        case roundAndTranslucent

        func apply(to part: inout Part) {
            part.placement.masksToBounds = true
            switch self {
            case .round: part.placement.cornerRadius = 20
            case .betweenPixels: part.placement.origin = Point(x: 4.4, y: 4.7)
            case .turned: part.placement.transform = .rotation(0.4)
            case .roundAndTranslucent: (part.placement.cornerRadius, part.placement.opacity) = (20, 0.5)
            }
        }
    }

    @Test("Black over white in one mask has the edge of black alone", arguments: SoftMask.allCases)
    func fringe(mask: SoftMask) throws {
        let picture = ContextDescription(pixelWidth: 60, pixelHeight: 60)
        func masked(_ colors: [Color]) throws -> Bitmap {
            var part = Part(
                size: Size(width: 40, height: 40), placement: PartPlacement(origin: Point(x: 10, y: 10)),
                parts: colors.map { color in
                    Part(
                        size: Size(width: 60, height: 60),
                        placement: PartPlacement(origin: Point(x: -10, y: -10))
                    ) { context, _ in context.fill(with: .color(color)) }
                })
            mask.apply(to: &part)
            return try draw(Composition([part]), picture, with: BitmapRenderer()).contents
        }
        let (alone, both) = (try masked([.black]), try masked([.white, .black]))
        #expect(Set(alone.allPixels.map(\.alpha)).count > 3)
        #expect(both.hasSamePixels(as: alone))
    }

    @Test("Parts in masks within masks are drawn into layers by hand, each of which is cut once")
    func masksByHand() throws {
        for seed in UInt64(0)..<150 {
            var scene = MaskedScene(seed: seed)
            let composition = try scene.composition()
            let picture = try draw(composition, scene.description, with: BitmapRenderer()).contents
            #expect(picture.hasSamePixels(as: try scene.byHand(composition)), "seed \(seed)")
        }
    }
}

/// Masks with soft edges, with others within them, whose pictures lie on whole pixels: those are copied
/// exactly, so that by hand the same pixels result.
private struct MaskedScene {
    typealias Part = Composition<BitmapRenderer>.Part

    let description: ContextDescription
    private let renderer = BitmapRenderer()
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let scale = generator.choose([1, 2, 1.5])
        description = ContextDescription(
            pixelWidth: Int(64 * scale), pixelHeight: Int(48 * scale), scale: scale)
    }

    /// A length of whole pixels.
    private mutating func pixels(_ range: ClosedRange<Double>) -> Double {
        (generator.number(range) * description.scale).rounded() / description.scale
    }

    mutating func composition() throws -> Composition<BitmapRenderer> {
        Composition([
            leaf(Size(width: 64, height: 48), at: .zero),
            mask(Size(width: pixels(30...50), height: pixels(20...40)), at: Point(x: 4, y: 4), depth: 0),
        ])
    }

    /// A mask that lies at whole pixels with its own picture, or between pixels with one within it.
    private mutating func mask(_ size: Size, at place: Point, depth: Int) -> Part {
        let isBetween = generator.flip()
        let shift = isBetween ? Point(x: generator.number(0.1...0.4), y: generator.number(0.1...0.4)) : .zero
        var part = isBetween ? Part(size: size) : leaf(size, at: .zero)
        part.placement.origin = place + shift
        part.placement.masksToBounds = true
        part.placement.cornerRadius = isBetween ? generator.choose([0, 3]) : generator.choose([2, 7, 90])
        part.placement.opacity = generator.choose([1, 1, 0.6])
        part.parts = [leaf(size, at: Point(x: -shift.x, y: -shift.y))]
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let inner = Size(width: pixels(4...size.width / 2), height: pixels(4...size.height / 2))
            let place =
                Point(x: pixels(1...size.width / 2 - 2), y: pixels(1...size.height / 2 - 2)) - shift
            let isMask = depth < 2 && min(inner.width, inner.height) >= 8 && generator.flip()
            part.parts.append(
                isMask
                    ? mask(inner, at: place, depth: depth + 1) : leaf(inner, at: place))
        }
        return part
    }

    private mutating func leaf(_ size: Size, at place: Point) -> Part {
        let color = Color(
            red: generator.number(0...1), green: generator.number(0...1), blue: generator.number(0...1),
            alpha: generator.choose([1, 1, 0.5]))
        return Part(size: size, placement: PartPlacement(origin: place)) { context, scope in
            context.fill(scope.bounds, cornerRadius: 1, with: .color(color))
        }
    }

    func byHand(_ composition: Composition<BitmapRenderer>) throws -> Bitmap {
        let whole = try renderer.makeContext(description)
        for part in composition.parts { try put(part, into: whole, at: .zero) }
        return whole.makeBitmap()
    }

    private func put(_ part: Part, into context: BitmapContext, at origin: Point) throws {
        let place = part.placement.origin + origin
        let transform = LayerTransform.translation(x: place.x, y: place.y)
        let layer = try renderer.makeContext(description)
        if let draw = part.draw {
            let scale = description.scale
            let own = try BitmapContext(
                pixelWidth: Int((part.size.width * scale).rounded()),
                pixelHeight: Int((part.size.height * scale).rounded()), scale: scale)
            try draw(
                own, DrawScope(size: part.size, scale: scale, isOpaque: false, sentinel: nil))
            renderer.draw(own.makeBitmap(), into: layer, placed: ContentsPlacement(transform: transform))
        }
        for inner in part.parts { try put(inner, into: layer, at: place) }
        let clip = ContentsPlacement.Clip(
            Rect(size: part.size), cornerRadius: part.placement.cornerRadius, transform: transform)
        renderer.draw(
            layer.makeBitmap(), into: context,
            placed: ContentsPlacement(
                opacity: part.placement.opacity, clips: part.placement.masksToBounds ? [clip] : []))
    }
}
