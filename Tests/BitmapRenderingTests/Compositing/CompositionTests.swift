import BitmapRendering
import QueuePools
import QueuePoolsSentinels
import TestSupport
import Testing

@testable import AsyncLayers

/// Draws each part by itself and puts the pictures together, one by one, through public calls only.
///
/// A mask that may be around several pictures, and whose edges may lie between pixels, cuts a layer of its
/// own.
private struct OneByOne {
    typealias Part = Composition<BitmapRenderer>.Part

    let composition: Composition<BitmapRenderer>
    let renderer = BitmapRenderer()
    let description: ContextDescription
    /// Whether a mask has cut a layer of its own. A composition needs none if fewer pictures can be seen, or
    /// if no edge can, so that other colours may be rounded.
    private(set) var hasLayers = false

    init(composition: Composition<BitmapRenderer>, description: ContextDescription) {
        (self.composition, self.description) = (composition, description)
    }

    mutating func picture() throws -> Bitmap {
        let whole = try renderer.makeContext(description)
        try put(composition.parts, into: whole, .identity, [])
        return whole.makeBitmap()
    }

    private func contents(of part: Part) throws -> Bitmap? {
        let scale = part.scale ?? description.scale
        guard let draw = part.draw,
            let own = try ContextDescription(
                size: part.size, scale: scale, isOpaque: part.background.isOpaque)
        else { return nil }
        let context = try renderer.makeContext(own)
        if case .opaque(let color) = part.background {
            renderer.fill(context, with: .white)
            renderer.fill(context, with: color)
        }
        try draw(
            context,
            DrawScope(size: part.size, scale: scale, isOpaque: part.background.isOpaque, sentinel: nil))
        return renderer.makeContents(from: context)
    }

    private func toParent(of part: Part) -> LayerTransform {
        let placement = part.placement
        let anchor = Point(x: placement.anchor.x * part.size.width, y: placement.anchor.y * part.size.height)
        let origin = placement.origin
        return placement.transform == .identity
            ? LayerTransform.translation(x: origin.x, y: origin.y)
            : LayerTransform.translation(x: -anchor.x, y: -anchor.y).concatenating(placement.transform)
                .concatenating(.translation(x: origin.x + anchor.x, y: origin.y + anchor.y))
    }

    private func isSoftMask(_ part: Part, _ toRoot: LayerTransform) -> Bool {
        guard part.placement.masksToBounds else { return false }
        let corners = [Point.zero, Point(x: part.size.width, y: part.size.height)].map {
            toRoot.apply(to: $0) * description.scale
        }
        let isUpright = toRoot.b == 0 && toRoot.c == 0 || toRoot.a == 0 && toRoot.d == 0
        let isWhole = corners.flatMap { [$0.x, $0.y] }.allSatisfy { abs($0 - $0.rounded()) < 1e-6 }
        return part.placement.cornerRadius > 0 || !isUpright || !isWhole
    }

    /// The pictures that are drawn through a part's mask, as far as they are not hidden.
    private func pictureCount(_ part: Part, _ toRoot: LayerTransform) -> Int {
        let own = ((try? contents(of: part)) ?? nil) == nil ? 0 : 1
        return part.parts.reduce(own) { count, inner in
            let toRoot = toParent(of: inner).concatenating(toRoot)
            let placement = inner.placement
            guard !placement.isHidden, placement.opacity > 0, toRoot.inverted() != nil else { return count }
            let isOne = isSoftMask(inner, toRoot) || placement.opacity < 1
            return count + min(pictureCount(inner, toRoot), isOne ? 1 : .max)
        }
    }

    private mutating func put(
        _ parts: [Part], into whole: BitmapContext, _ toRoot: LayerTransform,
        _ clips: [ContentsPlacement.Clip]
    ) throws {
        func height(_ part: Part) -> Double { part.placement.zPosition.isNaN ? 0 : part.placement.zPosition }
        for level in Set(parts.map(height)).sorted() {
            for part in parts where height(part) == level { try put(part, into: whole, toRoot, clips) }
        }
    }

    private mutating func put(
        _ part: Part, into whole: BitmapContext, _ parentToRoot: LayerTransform,
        _ outerClips: [ContentsPlacement.Clip]
    ) throws {
        let placement = part.placement
        guard !placement.isHidden else { return }
        let toRoot = toParent(of: part).concatenating(parentToRoot)
        var clips = outerClips
        if placement.masksToBounds {
            clips.append(
                ContentsPlacement.Clip(
                    Rect(size: part.size), cornerRadius: placement.cornerRadius, transform: toRoot))
        }
        let isLayer = isSoftMask(part, toRoot) && pictureCount(part, toRoot) > 1
        hasLayers = hasLayers || isLayer
        let isGroup = !(placement.opacity >= 1) && !part.parts.isEmpty || isLayer
        let target = isGroup ? try renderer.makeContext(description) : whole
        if let own = try contents(of: part) {
            let placement = ContentsPlacement(
                transform: toRoot, opacity: isGroup ? 1 : placement.opacity, clips: isGroup ? [] : clips)
            renderer.draw(own, into: target, placed: placement)
        }
        // Opacity 0 ends at the group; a part that holds none has none.
        try put(part.parts, into: target, toRoot, isGroup ? [] : clips)
        if isGroup {
            let placement = ContentsPlacement(opacity: placement.opacity, clips: clips)
            renderer.draw(target.makeBitmap(), into: whole, placed: placement)
        }
    }
}

@Suite("A composition drawn into one picture", .timeLimit(.minutes(15)))
struct CompositionTests {
    typealias Part = Composition<BitmapRenderer>.Part

    private let square = ContextDescription(pixelWidth: 9, pixelHeight: 9)

    /// Plans and draws as a pass does, without a cache; returns the picture and the bytes that were foretold.
    func draw<R: CompositingRenderer>(
        _ composition: Composition<R>, _ picture: ContextDescription, with renderer: R,
        sentinel: Sentinel? = nil
    ) throws -> (contents: R.Contents, peak: Int) {
        var plan = try CompositionPlan(composition.parts.map(\.base), picture: picture)
        plan.find { keys in
            keys.map { _ in nil }
        } byteCount: {
            renderer.byteCount(of: $0)
        }
        let peak = try plan.peakByteCount(byteLimit: .max) { renderer.byteCount(of: $0) }
        let work = CompositionWork<R>(
            plan, of: composition.parts, nil, PictureReleases(pool: DefaultQueuePool.shared))
        let size = Size(
            width: Double(picture.pixelWidth) / picture.scale,
            height: Double(picture.pixelHeight) / picture.scale)
        let scope = DrawScope(size: size, scale: picture.scale, isOpaque: false, sentinel: sentinel)
        return (try work.contents(of: picture, scope, .clear, renderer), peak)
    }

    private func draw(_ parts: [Part], sentinel: Sentinel? = nil) throws -> Bitmap {
        try draw(Composition(parts), square, with: BitmapRenderer(), sentinel: sentinel).contents
    }

    private func largestDifference(_ first: Bitmap, _ second: Bitmap) -> Int {
        zip(first.allPixels, second.allPixels).reduce(0) { largest, pair in
            let (first, second) = pair
            return [
                (first.red, second.red), (first.green, second.green), (first.blue, second.blue),
                (first.alpha, second.alpha),
            ].reduce(largest) { max($0, abs(Int($1.0) - Int($1.1))) }
        }
    }

    /// A composition of a seed, and what it is drawn into.
    private func random(_ seed: UInt64) -> (Composition<BitmapRenderer>, ContextDescription) {
        var generator = SeededGenerator(seed: seed)
        let scale = generator.choose([1, 2, 1.5])
        let composition = generator.composition(extent: 32)
        return (
            composition,
            ContextDescription(pixelWidth: Int(32 * scale), pixelHeight: Int(24 * scale), scale: scale)
        )
    }

    @Test("It is what its parts are, put together one by one, pixel for pixel", arguments: 0..<10)
    func oneByOne(group: UInt64) throws {
        for seed in group * 30..<(group + 1) * 30 {
            let (composition, description) = random(seed)
            var parts = OneByOne(composition: composition, description: description)
            let expected = try parts.picture()
            let picture = try draw(composition, description, with: BitmapRenderer()).contents
            let difference = largestDifference(picture, expected)
            #expect(difference <= (parts.hasLayers ? 2 : 0), "seed \(seed)")
        }
    }

    @Test("It takes as much memory as was foretold, and all is released")
    func peak() async throws {
        for seed in UInt64(0)..<120 {
            let (source, description) = random(seed)
            let renderer = MeteredRenderer()
            let composition = Composition(source.parts.map(MeteredRenderer.part))
            var (picture, peak): (MeteredRenderer.Picture?, Int) = try draw(
                composition, description, with: renderer)
            #expect(renderer.gauge.peak == peak, "seed \(seed)")
            let expected = try draw(source, description, with: BitmapRenderer()).contents
            #expect(picture?.bitmap.hasSamePixels(as: expected) == true)
            picture = nil
            // Pictures with a key are released in the background.
            while renderer.gauge.current != 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("A translucent part and what lies in it fade as one")
    func groupOpacity() throws {
        let fill: DisplayTask<BitmapRenderer>.Draw = { context, _ in context.fill(with: .black) }
        let inner = Part(
            size: Size(width: 5, height: 9), placement: PartPlacement(origin: Point(x: 4, y: 0)), draw: fill)
        var outer = Part(size: Size(width: 5, height: 9), parts: [inner], draw: fill)
        outer.placement.opacity = 0.5
        #expect(try draw([outer]).allPixels.allSatisfy { $0.alpha == 128 })
    }

    @Test("A stale composition stops between two parts, also when a part's closure does not look")
    func cancellation() throws {
        let sentinel = Sentinel()
        let drawn = Counter()
        let part = Part(size: Size(width: 9, height: 9)) { _, scope in
            if drawn.increment() == 3 { sentinel.increase() }
            #expect(scope.isCancelled == (drawn.value == 3))
        }
        #expect(throws: CancellationError.self) {
            try draw(Array(repeating: part, count: 5), sentinel: sentinel)
        }
        #expect(drawn.value == 3)
    }

    @Test("A composition that is stale from the beginning is not drawn at all")
    func staleFromTheBeginning() throws {
        let sentinel = Sentinel()
        let drawn = Counter()
        sentinel.increase()
        let part = Part(size: Size(width: 9, height: 9)) { _, _ in drawn.increment() }
        #expect(throws: CancellationError.self) { try draw([part], sentinel: sentinel) }
        #expect(drawn.value == 0)
    }

    @Test("What a part's closure throws ends the drawing, and reaches the caller")
    func failure() throws {
        struct OutOfInk: Error {}
        let drawn = Counter()
        let size = Size(width: 9, height: 9)
        #expect(throws: OutOfInk.self) {
            try draw([
                Part(size: size) { _, _ in throw OutOfInk() }, Part(size: size) { _, _ in drawn.increment() },
            ])
        }
        #expect(drawn.value == 0)
    }

    @Test("A part's closure receives its own size, scale and opacity, and draws all of it")
    func scopes() throws {
        var part = Part(size: Size(width: 4, height: 3), scale: 2) { context, scope in
            #expect(scope.size == Size(width: 4, height: 3) && scope.scale == 2 && scope.isOpaque)
            #expect(scope.bounds == Rect(x: 0, y: 0, width: 4, height: 3))
            #expect(context.pixelWidth == 8 && context.scale == 2)
        }
        part.background = .opaque()
        #expect(try draw([part])[x: 3, y: 2] == .opaqueWhite)
    }

    @Test("A part without a scale has that of the picture")
    func defaultScale() throws {
        let part = Part(size: Size(width: 4, height: 3)) { context, scope in
            #expect(scope.scale == 1.5 && context.pixelWidth == 6 && context.scale == 1.5)
        }
        let picture = ContextDescription(pixelWidth: 9, pixelHeight: 9, scale: 1.5)
        _ = try draw(Composition([part]), picture, with: BitmapRenderer())
    }

    @Test("As many translucent levels as there may be are drawn, each within the one before")
    func deepGroups() throws {
        var top = Part(size: Size(width: 9, height: 9))
        for level in 1...BasePart.maximumDepth {
            var part = Part(size: Size(width: 9, height: 9), parts: level == 1 ? [] : [top]) { context, _ in
                context.fill(with: .black)
            }
            (part.placement.opacity, part.placement.masksToBounds, part.placement.cornerRadius) = (
                0.99, true, 1
            )
            top = part
        }
        #expect(try draw([top])[x: 1, y: 1].alpha > 250)
    }
}
