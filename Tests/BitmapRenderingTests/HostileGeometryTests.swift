import AsyncLayers
import BitmapRendering
import Testing

@Suite("Hostile geometry", .timeLimit(.minutes(15)))
struct HostileGeometryTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, -1, 0, Double.leastNonzeroMagnitude, 3.5, 1e10,
    ]

    /// Calls a closure with a context and each choice of four numbers.
    private func forAll(_ body: (BitmapContext, Double, Double, Double, Double) -> Void) throws {
        let context = try BitmapContext(pixelWidth: 5, pixelHeight: 5, scale: 1.5)
        for a in Self.numbers {
            for b in Self.numbers {
                for c in Self.numbers {
                    for d in Self.numbers { body(context, a, b, c, d) }
                }
            }
        }
    }

    @Test("No rectangle crashes, with any numbers")
    func rectangles() throws {
        try forAll { context, a, b, c, d in
            context.fill(Rect(x: a, y: b, width: c, height: d), cornerRadius: a, with: .black)
            context.fillEllipse(in: Rect(x: a, y: b, width: c, height: d), with: .black)
        }
    }

    @Test("No clip and no translation crashes, with any numbers")
    func clips() throws {
        try forAll { context, a, b, c, d in
            context.withTranslation(Point(x: a, y: b)) {
                context.withClip(Rect(x: b, y: a, width: c, height: d), cornerRadius: d) {
                    context.fill(Rect(x: 0, y: 0, width: 2, height: 2), with: .black)
                }
            }
        }
    }

    @Test("No line crashes, with any numbers")
    func lines() throws {
        try forAll { context, a, b, c, d in
            context.strokeLine(from: Point(x: a, y: b), to: Point(x: c, y: d), width: 2, with: .black)
            context.strokeLine(from: Point(x: 1, y: a), to: Point(x: b, y: 1), width: c, with: .black)
        }
    }

    @Test("No gradient crashes, with any numbers")
    func gradients() throws {
        try forAll { context, a, b, c, d in
            let gradient = LinearGradient(
                from: Point(x: a, y: b), to: Point(x: c, y: d),
                stops: [.init(at: a, .white), .init(at: d, Color(red: a, green: b, blue: c, alpha: d))])
            context.fill(Rect(x: 1, y: 1, width: 1, height: 1), with: .linearGradient(gradient))
        }
    }

    @Test("No text and no picture crashes, wherever it is drawn")
    func textAndPictures() throws {
        let context = try BitmapContext(pixelWidth: 9, pixelHeight: 9, scale: 1)
        let picture = try bitmap(3, 3) { $0.fill(with: .red) }
        for a in Self.numbers {
            for b in Self.numbers {
                context.draw(picture, at: Point(x: a, y: b))
                for size in Self.numbers {
                    let font = StrokeFont(size: size, weight: .bold)
                    context.draw("Wé\n§", baseline: Point(x: a, y: b), font: font, color: .black)
                    context.draw(
                        font.wrap("ab cd", width: a), topLeft: Point(x: a, y: b), font: font, color: .black)
                }
            }
        }
    }

    @Test(
        "No scale crashes, in any drawing",
        arguments: [1e10, 1e38, 1e150, 1e300, .greatestFiniteMagnitude, 1e-300, .leastNonzeroMagnitude]
            as [Double])
    func scales(scale: Double) throws {
        let picture = try bitmap(3, 3, scale: scale) { $0.fill(with: .red) }
        let gradient = LinearGradient(from: .zero, .black, to: Point(x: 3, y: 4), .white)
        for place in [0, 1, -2, 1 / scale, 3 / scale, -1e300] {
            let context = try BitmapContext(pixelWidth: 9, pixelHeight: 9, scale: scale)
            let rect = Rect(x: place, y: place, width: 4, height: 3)
            context.fill(rect, cornerRadius: 1, with: .linearGradient(gradient))
            context.fillEllipse(in: rect, with: .black)
            context.strokeLine(from: Point(x: place, y: 0), to: Point(x: 1, y: place), width: 2, with: .black)
            context.withClip(rect, cornerRadius: 1) { context.fill(rect, with: .black) }
            context.draw(picture, at: Point(x: place, y: place))
            let turn = LayerTransform.rotation(1).concatenating(.translation(x: place, y: place))
            context.draw(picture, placed: ContentsPlacement(transform: turn))
            for size in [15, 15 / scale, 1e-3, 1e5] {
                let font = StrokeFont(size: size, weight: .bold)
                let baseline = Point(x: place, y: place)
                context.draw("Wé§@8", baseline: baseline, font: font, color: .black)
            }
        }
    }

    @Test("No placement crashes, with any numbers in its transform and its clips")
    func placements() throws {
        let picture = try bitmap(3, 3) { $0.fill(with: .red) }
        try forAll { context, a, b, c, d in
            for transform in [
                LayerTransform(a: a, b: b, c: c, d: d, tx: 1, ty: 1),
                LayerTransform(a: 1, b: a, c: b, d: 2, tx: c, ty: d),
                LayerTransform(a: a, b: 0, c: 0, d: b, tx: c, ty: d),
            ] {
                context.draw(picture, placed: ContentsPlacement(transform: transform, opacity: a))
                let rect = Rect(x: d, y: c, width: b, height: a)
                let clips = [
                    ContentsPlacement.Clip(rect, cornerRadius: d, transform: transform),
                    ContentsPlacement.Clip(rect, cornerRadius: c, transform: .rotation(1)),
                ]
                context.draw(picture, placed: ContentsPlacement(clips: [clips[0]]))
                context.draw(picture, placed: ContentsPlacement(clips: clips.reversed()))
            }
        }
    }

    @Test("What is not finite or has no extent draws nothing")
    func nothingIsDrawn() throws {
        let picture = try bitmap(5, 5) { context in
            for bad in [Double.nan, .infinity, -.infinity] {
                context.fill(Rect(x: bad, y: 0, width: 5, height: 5), with: .black)
                context.fill(Rect(x: 0, y: 0, width: 5, height: bad), with: .black)
                context.strokeLine(from: .zero, to: Point(x: 5, y: bad), width: 2, with: .black)
                context.strokeLine(from: .zero, to: Point(x: 5, y: 5), width: bad, with: .black)
            }
            for side in [0.0, -0.0, -5] {
                context.fill(Rect(x: 0, y: 0, width: side, height: 5), with: .black)
                context.fillEllipse(in: Rect(x: 0, y: 0, width: 5, height: side), with: .black)
                context.strokeLine(from: .zero, to: Point(x: 5, y: 5), width: side, with: .black)
            }
        }
        #expect(picture.isClear)
    }

    @Test("A huge rectangle, a huge pen and a long line cover what can be seen of them")
    func hugeIsCut() throws {
        let rect = try bitmap(5, 5) {
            $0.fill(Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300), cornerRadius: 9, with: .black)
        }
        #expect(rect.coveredArea == 25)
        let pen = try bitmap(5, 5) { $0.stroke([Point(x: 2, y: 2)], width: 1e300, with: .black) }
        #expect(pen.coveredArea == 25)
        let line = try bitmap(5, 5) {
            $0.strokeLine(from: Point(x: -1e12, y: 2.5), to: Point(x: 1e12, y: 2.5), width: 1, with: .black)
        }
        #expect(line.coveredArea == 5)
    }
}
