import AsyncLayers
import BitmapRendering
import TestSupport
import Testing

@Suite("Parts of a picture", .timeLimit(.minutes(15)))
struct ContextOriginTests {
    /// Draws the same things for the same seed: some of everything that a context can do.
    private func drawSomething(seed: UInt64, into context: BitmapContext, pictures: [Bitmap]) {
        var generator = SeededGenerator(seed: seed)
        // Every other number is a multiple of one half: places that are rounded often lie between two pixels.
        func number(_ range: ClosedRange<Double>) -> Double {
            let number = Double.random(in: range, using: &generator)
            return Bool.random(using: &generator) ? number : (2 * number).rounded() / 2
        }
        func place() -> Point { Point(x: number(-10...70), y: number(-10...50)) }
        func rect() -> Rect {
            Rect(origin: place(), size: Size(width: number(0...50), height: number(0...40)))
        }
        func color() -> Color {
            Color(
                red: number(0...1), green: number(0...1), blue: number(0...1),
                alpha: Bool.random(using: &generator) ? 1 : number(0...1))
        }
        func paint() -> Paint {
            if Bool.random(using: &generator) { return .color(color()) }
            let stops = (0..<3).map { _ in LinearGradient.Stop(at: number(0...1), color()) }
            let (start, end) = (place(), Bool.random(using: &generator) ? place() : nil)
            return .linearGradient(
                LinearGradient(from: start, to: end ?? Point(x: start.x, y: number(0...50)), stops: stops))
        }
        func drawOne() {
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: context.fill(rect(), with: paint())
            case 1: context.fill(rect(), cornerRadius: number(0...20), with: paint())
            case 2: context.fillEllipse(in: rect(), with: paint())
            case 3:
                context.stroke((0..<4).map { _ in place() }, width: number(0.2...8), with: paint())
            case 4:
                let weight: StrokeFont.Weight = Bool.random(using: &generator) ? .bold : .regular
                let font = StrokeFont(size: number(5...40), weight: weight)
                context.draw("Größe W½j@ýÅ", baseline: place(), font: font, color: color())
            case 5: context.draw(pictures.randomElement(using: &generator)!, at: place())
            default: context.fill(with: .color(Color(white: number(0...1), alpha: number(0...0.3))))
            }
        }
        for _ in 0..<12 {
            if Bool.random(using: &generator) {
                let radius = Bool.random(using: &generator) ? 0 : number(0...20)
                let move = Bool.random(using: &generator) ? place() : .zero
                context.withTranslation(move) { context.withClip(rect(), cornerRadius: radius) { drawOne() } }
            } else {
                drawOne()
            }
        }
    }

    private func pictures() throws -> [Bitmap] {
        try [1, 1.5, 2, 3].map { scale in
            try bitmap(23, 17, scale: scale) { context in
                context.fill(
                    with: .linearGradient(
                        LinearGradient(from: .zero, .white, to: Point(x: 20, y: 9), .black)))
                context.fillEllipse(in: Rect(x: 1, y: 1, width: 9, height: 7), with: .red)
            }
        }
    }

    @Test("Put side by side they are the whole picture, byte for byte, at any scale", arguments: 0..<8)
    func sideBySide(group: UInt64) throws {
        let pictures = try pictures()
        for seed in group * 25..<(group + 1) * 25 {
            var generator = SeededGenerator(seed: seed &* 0x9E37_79B9)
            let scale = [1, 1.1, 1.5, 2, 3, 0.7, 1 / 3.0].randomElement(using: &generator)!
            let (width, height) = (61, 43)
            let whole = try bitmap(width, height, scale: scale) {
                drawSomething(seed: seed, into: $0, pictures: pictures)
            }
            var columns = [0, width]
            var rows = [0, height]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                columns.append(.random(in: 1..<width, using: &generator))
                rows.append(.random(in: 1..<height, using: &generator))
            }
            (columns, rows) = (Set(columns).sorted(), Set(rows).sorted())
            for (top, bottom) in zip(rows, rows.dropFirst()) {
                for (left, right) in zip(columns, columns.dropFirst()) {
                    let context = try BitmapContext(
                        pixelWidth: right - left, pixelHeight: bottom - top, scale: scale,
                        pixelOriginX: left, pixelOriginY: top)
                    drawSomething(seed: seed, into: context, pictures: pictures)
                    #expect(
                        context.makeBitmap().hasSamePixels(as: try whole.part(left..<right, top..<bottom)),
                        "seed \(seed), scale \(scale), part \(left)…\(right) × \(top)…\(bottom)")
                }
            }
        }
    }

    @Test("A part from far out in the largest picture is drawn as one from its corner")
    func farOut() throws {
        let last = ContextDescription.wholeExtentLimit - 20
        let far = try BitmapRenderer().makeContext(
            ContextDescription(
                pixelWidth: 20, pixelHeight: 20, scale: 2, pixelOriginX: last, pixelOriginY: last))
        far.withTranslation(Point(x: Double(last) / 2, y: Double(last) / 2)) { drawSign(into: far) }
        #expect(far.makeBitmap().hasSamePixels(as: try bitmap(20, 20, scale: 2, drawSign)))
    }

    private func drawSign(into context: BitmapContext) {
        context.fill(Rect(x: 1, y: 1, width: 8, height: 8), cornerRadius: 3, with: .red)
        context.strokeLine(from: .zero, to: Point(x: 10, y: 10), width: 1.5, with: .black)
    }

    @Test("The renderer's fill paints a part whole")
    func fill() throws {
        let renderer = BitmapRenderer()
        let context = try renderer.makeContext(
            ContextDescription(pixelWidth: 3, pixelHeight: 2, pixelOriginX: 5, pixelOriginY: 9))
        renderer.fill(context, with: .white)
        #expect(renderer.makeContents(from: context).allPixels.allSatisfy { $0 == .opaqueWhite })
    }

    @Test(
        "A place outside of the largest picture is refused",
        arguments: [(-1, 0), (0, -1), (1 << 32, 0), (0, (1 << 32) - 1), (.max, 0), (.min, .max)])
    func badOrigins(x: Int, y: Int) {
        let error = BitmapError.invalidOrigin(pixelOriginX: x, pixelOriginY: y)
        #expect(throws: error) {
            try BitmapContext(pixelWidth: 2, pixelHeight: 2, pixelOriginX: x, pixelOriginY: y)
        }
        #expect(error.description.contains("(\(x), \(y))"))
    }
}

extension Bitmap {
    /// A part of the picture, copied pixel by pixel.
    fileprivate func part(_ columns: Range<Int>, _ rows: Range<Int>) throws -> Bitmap {
        try bitmap(columns.count, rows.count, scale: scale) { context in
            context.draw(
                self,
                at: Point(x: Double(-columns.lowerBound) / scale, y: Double(-rows.lowerBound) / scale))
        }
    }
}
