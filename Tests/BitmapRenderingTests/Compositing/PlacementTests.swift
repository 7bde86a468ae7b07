import AsyncLayers
import BitmapRendering
import Foundation
import TestSupport
import Testing

@Suite("Pictures under a transform", .timeLimit(.minutes(15)))
struct PlacementTests {
    private func noise(_ width: Int, _ height: Int, scale: Double = 1) throws -> Bitmap {
        var generator = SeededGenerator(seed: 7)
        return try generator.noise(width, height, scale: scale)
    }

    @Test(
        "Moved by whole pixels every pixel is taken over exactly, at any scale",
        arguments: [1, 1.5, 2, 3, 1.1, 1 / 3.0])
    func exact(scale: Double) throws {
        let source = try noise(8, 7, scale: scale)
        #expect(
            try wholePixelMoveFaults(of: source, scale: scale, with: BitmapRenderer()) { $0[x: $1, y: $2] }
                .isEmpty)
    }

    @Test("An opacity multiplies every pixel, and what is not a number is not seen")
    func opacity() throws {
        let source = try noise(9, 9)
        for opacity in [0, 0.25, 0.5, 0.9, 1, -1, 2, .nan, .infinity] {
            let picture = try bitmap(9, 9) { $0.draw(source, placed: ContentsPlacement(opacity: opacity)) }
            let factor = opacity > 0 ? min(opacity, 1) : 0
            for (pixel, original) in zip(picture.allPixels, source.allPixels) {
                #expect(abs(Double(pixel.alpha) - Double(original.alpha) * factor) <= 1)
                #expect(abs(Double(pixel.red) - Double(original.red) * factor) <= 1)
            }
        }
    }

    @Test("Quarter turns and mirrors put each pixel where it belongs")
    func turns() throws {
        let source = try noise(6, 4)
        let turned = try bitmap(4, 6) {
            let transform = LayerTransform.rotation(.pi / 2).concatenating(.translation(x: 4, y: 0))
            $0.draw(source, placed: ContentsPlacement(transform: transform))
        }
        let mirrored = try bitmap(6, 4) {
            let transform = LayerTransform.scale(x: -1, y: 1).concatenating(.translation(x: 6, y: 0))
            $0.draw(source, placed: ContentsPlacement(transform: transform))
        }
        for y in 0..<4 {
            for x in 0..<6 {
                #expect(turned[x: 3 - y, y: x] == source[x: x, y: y])
                #expect(mirrored[x: 5 - x, y: y] == source[x: x, y: y])
            }
        }
    }

    @Test("An upright clip is the clip of the context")
    func uprightClips() throws {
        let source = try noise(20, 20)
        for (rect, radius) in [
            (Rect(x: 3, y: 4, width: 9, height: 8), 0.0), (Rect(x: 2.3, y: 1.7, width: 12.4, height: 9.1), 0),
            (Rect(x: 1, y: 1, width: 18, height: 12), 5), (Rect(x: -4, y: 2.5, width: 30, height: 40), 90),
        ] {
            let placed = try bitmap(20, 20) {
                let clips = [ContentsPlacement.Clip(rect, cornerRadius: radius)]
                $0.draw(source, placed: ContentsPlacement(clips: clips))
            }
            let clipped = try bitmap(20, 20) { context in
                context.withClip(rect, cornerRadius: radius) { context.draw(source, at: .zero) }
            }
            #expect(placed.hasSamePixels(as: clipped))
        }
    }

    @Test("The moves and clips that hold in the context hold for pictures too")
    func within() throws {
        let source = try noise(9, 9)
        let turn = LayerTransform.rotation(0.3)
        let outer = try bitmap(20, 20, scale: 1.5) { context in
            context.withTranslation(Point(x: 3.3, y: 2.1)) {
                context.withClip(Rect(x: 0, y: 0, width: 7, height: 7), cornerRadius: 2) {
                    context.draw(source, placed: ContentsPlacement(transform: turn))
                }
            }
        }
        let move = LayerTransform.translation(x: 3.3, y: 2.1)
        let placed = try bitmap(20, 20, scale: 1.5) {
            let clip = ContentsPlacement.Clip(
                Rect(x: 0, y: 0, width: 7, height: 7), cornerRadius: 2, transform: move)
            $0.draw(source, placed: ContentsPlacement(transform: turn.concatenating(move), clips: [clip]))
        }
        #expect(outer.hasSamePixels(as: placed))
    }

    @Test("With any transform, opacity and clips, pixels are what slow arithmetic says", arguments: 0..<8)
    func reference(group: UInt64) throws {
        for seed in group * 30..<(group + 1) * 30 {
            var generator = SeededGenerator(seed: seed)
            let scale = generator.choose([1, 1.5, 2])
            let context = try BitmapContext(pixelWidth: 24, pixelHeight: 21, scale: scale)
            var reference = ReferenceCompositor(width: 24, height: 21, scale: scale)
            let background = try generator.noise(24, 21, scale: scale)
            context.draw(background, placed: ContentsPlacement())
            reference.draw(background, placed: ContentsPlacement())

            let source = try generator.noise(
                .random(in: 1...30, using: &generator), .random(in: 1...30, using: &generator),
                scale: generator.choose([1, 1.5, 2]))
            var clips: [ContentsPlacement.Clip] = []
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                // Upright round corners are the context's own, which are coarser and have tests of their own.
                let isRound = generator.flip()
                let turn = LayerTransform.rotation(isRound ? generator.number(0.1...1.4) : 0)
                clips.append(
                    ContentsPlacement.Clip(
                        Rect(
                            x: generator.number(-9...3), y: generator.number(-9...3),
                            width: generator.number(5...25), height: generator.number(5...25)),
                        cornerRadius: isRound ? generator.number(0...9) : 0, transform: turn))
            }
            let placement = ContentsPlacement(
                transform: generator.transform(extent: 20 / scale),
                opacity: generator.choose([1, 1, 0.7, 0.2]), clips: clips)
            context.draw(source, placed: placement)
            reference.draw(source, placed: placement)
            let difference = reference.difference(to: context.makeBitmap())
            #expect(difference <= 2, "seed \(seed): \(placement)")
        }
    }

    @Test("A turned square keeps its area, and its edges are smooth")
    func area() throws {
        let square = try bitmap(40, 40) { $0.fill(with: .black) }
        for degrees in stride(from: 0.5, to: 90, by: 7) {
            let transform = LayerTransform.translation(x: -20, y: -20)
                .concatenating(.rotation(degrees / 180 * .pi)).concatenating(.translation(x: 32, y: 32))
            let picture = try bitmap(64, 64) {
                $0.draw(square, placed: ContentsPlacement(transform: transform))
            }
            #expect(abs(picture.coveredArea - 1_600) < 1)
            #expect(Set(picture.allPixels.map(\.alpha)).count > 30)
        }
    }

    @Test("A turned round clip shows a disc, wherever it is turned to")
    func disc() throws {
        let square = try bitmap(64, 64) { $0.fill(with: .black) }
        for degrees in [0.0, 10, 45, 63] {
            let transform = LayerTransform.translation(x: -20, y: -20)
                .concatenating(.rotation(degrees / 180 * .pi)).concatenating(.translation(x: 32, y: 32))
            let clip = ContentsPlacement.Clip(
                Rect(x: 0, y: 0, width: 40, height: 40), cornerRadius: 20, transform: transform)
            let picture = try bitmap(64, 64) { $0.draw(square, placed: ContentsPlacement(clips: [clip])) }
            #expect(abs(picture.coveredArea - 400 * .pi) < 2)
        }
    }

    @Test("A picture that becomes much smaller is averaged, not thinned out")
    func smaller() throws {
        let checks = try bitmap(128, 128) { context in
            context.fill(with: .color(.white))
            for y in 0..<128 {
                for x in 0..<128 where (x + y).isMultiple(of: 2) {
                    context.fill(Rect(x: Double(x), y: Double(y), width: 1, height: 1), with: .black)
                }
            }
        }
        for factor in [0.5, 0.25, 0.125, 0.0625] {
            let side = Int(128 * factor)
            let picture = try bitmap(side, side) {
                $0.draw(checks, placed: ContentsPlacement(transform: .scale(x: factor, y: factor)))
            }
            #expect(picture.allPixels.allSatisfy { (126...129).contains($0.red) && $0.alpha == 255 })
        }
    }

    @Test("In parts that are put side by side a placement is the same, byte for byte")
    func tiles() throws {
        for seed in UInt64(0)..<120 {
            var generator = SeededGenerator(seed: seed)
            let scale = generator.choose([1, 1.5, 2, 1.1])
            let source = try generator.noise(19, 23, scale: generator.choose([1, 1.5, 2]))
            let placement = ContentsPlacement(
                transform: generator.transform(extent: 40 / scale), opacity: generator.choose([1, 0.4]),
                clips: [
                    ContentsPlacement.Clip(
                        Rect(x: 2, y: 2, width: 36 / scale, height: 30 / scale), cornerRadius: 7,
                        transform: .rotation(generator.choose([0, 0.2])))
                ])
            let whole = try bitmap(40, 40, scale: scale) { $0.draw(source, placed: placement) }
            for (x, y) in [(0, 0), (13, 0), (0, 27), (21, 18)] {
                let part = try BitmapContext(
                    pixelWidth: 13, pixelHeight: 12, scale: scale, pixelOriginX: x, pixelOriginY: y)
                part.draw(source, placed: placement)
                let pixels = part.makeBitmap().allPixels
                for row in 0..<12 {
                    for column in 0..<13 {
                        #expect(pixels[row * 13 + column] == whole[x: x + column, y: y + row], "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("What cannot be seen draws nothing")
    func nothing() throws {
        let source = try bitmap(5, 5) { $0.fill(with: .red) }
        let visible = Rect(x: 0, y: 0, width: 9, height: 9)
        let picture = try bitmap(9, 9) { context in
            for transform: LayerTransform in [
                .scale(x: 0, y: 1), .scale(x: 1, y: .nan), .translation(x: .infinity, y: 0),
                LayerTransform(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0), .translation(x: 1e300, y: 0),
                .scale(x: 1e-300, y: 1), .translation(x: 9, y: 9), .rotation(.nan),
            ] {
                context.draw(source, placed: ContentsPlacement(transform: transform))
                let clip = ContentsPlacement.Clip(visible, transform: transform)
                if transform != .translation(x: 9, y: 9) {
                    context.draw(source, placed: ContentsPlacement(clips: [clip]))
                }
            }
            for rect in [
                .zero, Rect(x: 0, y: 0, width: -1, height: 5), Rect(x: 0, y: .nan, width: 5, height: 5),
            ] {
                for turn in [0.0, 0.5] {
                    let clip = ContentsPlacement.Clip(rect, transform: .rotation(turn))
                    context.draw(source, placed: ContentsPlacement(clips: [clip]))
                }
            }
        }
        #expect(picture.isClear)
    }

    @Test("A picture and a clip that are huge cover what can be seen of them")
    func huge() throws {
        let source = try bitmap(2, 2) { $0.fill(with: .red) }
        let turn = LayerTransform.rotation(0.4)
        for factor in [1e3, 1e6, 1e12] {
            let transform = LayerTransform.translation(x: -1, y: -1)
                .concatenating(.scale(x: factor, y: factor)).concatenating(turn)
            let clip = ContentsPlacement.Clip(
                Rect(x: -factor, y: -factor, width: 2 * factor, height: 2 * factor), cornerRadius: 3,
                transform: turn)
            let picture = try bitmap(9, 9) {
                $0.draw(source, placed: ContentsPlacement(transform: transform, clips: [clip]))
            }
            #expect(picture.allPixels.allSatisfy { $0 == .opaqueRed }, "\(factor)")
        }
    }
}
