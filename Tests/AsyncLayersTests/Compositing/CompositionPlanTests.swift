import ManualPools
import QueuePoolsSentinels
import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Planning the drawing of a composition", .timeLimit(.minutes(15)))
struct CompositionPlanTests {
    typealias Part = Composition<RecordingRenderer>.Part

    private let picture = ContextDescription(pixelWidth: 200, pixelHeight: 100, scale: 2)

    /// A part that draws its name, with one pixel for each point.
    private func part(
        _ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, parts: [Part] = []
    ) -> Part {
        Part(
            size: Size(width: width, height: height), scale: 1,
            placement: PartPlacement(origin: Point(x: x, y: y)), parts: parts
        ) { context, _ in context.commands.append(name) }
    }

    private func plan(_ parts: [Part]) throws -> CompositionPlan {
        try CompositionPlan(parts.map(\.base), picture: picture)
    }

    private func peak(_ parts: [Part], limit: Int = .max) throws -> Int {
        try plan(parts).peakByteCount(byteLimit: limit) { RecordingRenderer().byteCount(of: $0) }
    }

    /// The names of the parts that are drawn, in order.
    private func drawn(_ parts: [Part]) throws -> [String] {
        let releases = PictureReleases(pool: try ManualPool(label: "plan", queuesPerTier: 1))
        let work = CompositionWork<RecordingRenderer>(
            try plan(parts), of: parts, nil, releases)
        let scope = DrawScope(size: .zero, scale: 2, isOpaque: false, sentinel: nil)
        return try work.contents(of: picture, scope, .clear, RecordingRenderer()).commands
    }

    @Test("parts come before those within them, siblings by height, then in their order")
    func order() throws {
        let parts = [0, 1, -1, Double.nan, 0].enumerated().map { index, height in
            var part = part("\(index)", 0, 0, 9, 9, parts: [part("in \(index)", 0, 0, 3, 3)])
            part.placement.zPosition = height
            return part
        }
        #expect(try drawn(parts) == ["2", "in 2", "0", "in 0", "3", "in 3", "4", "in 4", "1", "in 1"])
    }

    @Test("places, scales and turns add up from the whole to the innermost part")
    func transforms() throws {
        var turned = part("turned", 10, 20, 40, 20, parts: [part("inner", 4, 2, 5, 5)])
        turned.placement.transform = .rotation(.pi / 2)
        guard case .part(let inner)? = try plan([turned]).entries.last else {
            return #expect(Bool(false), "no part")
        }
        // The middle of the turned part stays at (30, 30); (4, 2) lies 16 to the left of it and 8 above.
        #expect(inner.placement.transform.apply(to: .zero) == Point(x: 38, y: 14))
        #expect(inner.placement.clips.isEmpty && inner.placement.opacity == 1)
    }

    @Test("what cannot be seen is not drawn, with all that lies in it")
    func invisible() throws {
        func unseen(_ name: String, _ change: (inout Part) -> Void) -> Part {
            var part = part(name, 0, 0, 9, 9, parts: [part("in \(name)", 0, 0, 5, 5)])
            change(&part)
            return part
        }
        let parts = [
            unseen("hidden") { $0.placement.isHidden = true },
            unseen("clear") { $0.placement.opacity = -1 },
            unseen("unknown") { $0.placement.opacity = .nan },
            unseen("singular") { $0.placement.transform = .scale(x: 0, y: 1) },
            unseen("nowhere") { $0.placement.origin.x = .nan },
            unseen("masked away") {
                $0.size.width = 0
                $0.placement.masksToBounds = true
            },
        ]
        #expect(try drawn(parts).isEmpty)
    }

    @Test("parts outside of the picture or of a mask are not drawn; those within them may be")
    func outside() throws {
        let outside = part("outside", 100, 0, 10, 10, parts: [part("back", -20, 0, 10, 10)])
        var masking = part(
            "mask", 0, 0, 20, 20,
            parts: [part("within", 19, 19, 10, 10), part("beside", 20, 0, 10, 10)])
        masking.placement.masksToBounds = true
        #expect(try drawn([outside, masking]) == ["back", "mask", "within"])
    }

    @Test("a part beside a mask is drawn only if both cover the same pixel in part")
    func sharedPixel() throws {
        // In pixels the mask reaches from 20.4 to 40.4.
        var masking = part(
            "mask", 10.2, 0, 10, 20,
            parts: [
                part("right", 10.1, 0, 5, 5), part("too far right", 10.3, 0, 5, 5),
                part("left", -5.1, 0, 5, 5), part("too far left", -5.2, 0, 5, 5),
            ])
        masking.placement.masksToBounds = true
        masking.draw = nil
        #expect(try drawn([masking]) == ["right", "left"])
    }

    @Test("a part in the corner of a turned mask's bounds, but not in the mask, is not drawn")
    func turnedMask() throws {
        // The mask is a diamond about (50, 25), 28.3 high; the parts lie upright at its upper left.
        for isGroup in [false, true] {
            let parts = [("outside", 28.0, 1.0), ("inside", 38, 12)].map { name, x, y in
                // In the mask's own coordinates the place is turned back about the middle.
                let back = LayerTransform.translation(x: -50, y: -25).concatenating(.rotation(-.pi / 4))
                    .concatenating(.translation(x: 20, y: 20))
                let place = back.apply(to: Point(x: x, y: y))
                var corner = part(name, place.x - 3, place.y - 3, 6, 6)
                corner.placement.transform = .rotation(-.pi / 4)
                return corner
            }
            var masking = part("mask", 30, 5, 40, 40, parts: parts)
            masking.placement.masksToBounds = true
            masking.draw = nil
            masking.placement.transform = .rotation(.pi / 4)
            masking.placement.opacity = isGroup ? 0.5 : 1
            #expect(try drawn([masking]) == ["inside"])
            let extents = try plan([masking]).entries.compactMap { entry in
                if case .beginGroup(let group) = entry { group.extent } else { nil }
            }
            #expect(extents == (isGroup ? [Rect(x: 70, y: 18, width: 12, height: 12)] : []))
        }
    }

    @Test("a translucent part that holds others is a group, no larger than what is seen of it")
    func group() throws {
        var translucent = part("group", 10, 10, 20, 10, parts: [part("child", -5, 5, 10, 30)])
        translucent.placement.opacity = 0.5
        translucent.placement.masksToBounds = true
        let place = LayerTransform.translation(x: 10, y: 10)
        let entries = try plan([translucent]).entries
        guard entries.count == 4, case .beginGroup(let group) = entries[0],
            case .part(let own) = entries[1], case .part(let child) = entries[2],
            case .endGroup(let ended) = entries[3]
        else {
            return #expect(Bool(false), "no group")
        }
        let context = picture.group(around: group.extent)
        #expect(
            context
                == ContextDescription(
                    pixelWidth: 42, pixelHeight: 22, scale: 2, pixelOriginX: 19, pixelOriginY: 19))
        #expect(context.place == .translation(x: 9.5, y: 9.5))
        #expect(own.description == ContextDescription(pixelWidth: 20, pixelHeight: 10))
        #expect(own.placement == ContentsPlacement(transform: place))
        #expect(child.description == ContextDescription(pixelWidth: 10, pixelHeight: 30))
        #expect(child.placement == ContentsPlacement(transform: .translation(x: 5, y: 15)))
        #expect(ended.extent == group.extent && ended.opacity == 0.5)
        #expect(
            ended.clips == [
                ContentsPlacement.Clip(Rect(x: 0, y: 0, width: 20, height: 10), transform: place)
            ])
    }

    @Test("a translucent part that holds nothing is no group, and a group with nothing to see is none")
    func noGroup() throws {
        var alone = part("alone", 0, 0, 9, 9)
        alone.placement.opacity = 0.5
        var inner = part("inner", 0, 0, 9, 9, parts: [part("outside", 500, 0, 9, 9)])
        inner.placement.opacity = 0.5
        inner.draw = nil
        var empty = inner
        empty.parts = [inner]
        let entries = try plan([alone, empty]).entries
        guard entries.count == 1, case .part(let part) = entries[0] else {
            return #expect(Bool(false), "\(entries.count) entries")
        }
        #expect(part.placement == ContentsPlacement(opacity: 0.5))
    }

    @Test("the peak counts what is alive at once: the whole, the groups around, and one part")
    func peak() throws {
        let whole = 200 * 100 * 4
        #expect(try peak([]) == whole)
        var parts = [part("a", 0, 0, 10, 10), part("b", 0, 0, 20, 5)]
        #expect(try peak(parts) == whole + 400)
        var translucent = part("c", 10, 10, 20, 10, parts: [part("d", 0, 0, 1, 1)])
        translucent.placement.opacity = 0.5
        parts.append(translucent)
        #expect(try peak(parts) == whole + 42 * 22 * 4 + 800)
    }

    @Test("the peak counts the new pictures of keys, each once, and none that exists")
    func peakOfKeys() throws {
        func keyed(_ key: Int, _ side: Double) -> Part {
            Part(key: key, size: Size(width: side, height: side), scale: 1) { _, _ in }
        }
        let renderer = RecordingRenderer()
        let parts = [keyed(1, 10), keyed(1, 10), keyed(2, 5), keyed(3, 4), part("a", 0, 0, 6, 6)]
        func peak(exists: [Bool]) throws -> Int {
            var plan = try plan(parts)
            let context = try renderer.makeContext(ContextDescription(pixelWidth: 1, pixelHeight: 1))
            let contents = try renderer.makeContents(from: context)
            plan.find { keys in
                zip(keys, exists).map { $1 ? RendererPicture(contents) : nil }
            } byteCount: {
                renderer.byteCount(of: $0)
            }
            return try plan.peakByteCount(byteLimit: .max) { renderer.byteCount(of: $0) }
        }
        let whole = 200 * 100 * 4
        #expect(try peak(exists: [false, false, false, false]) == whole + 400 + 100 + 64 + 144)
        #expect(try peak(exists: [true, true, false, true]) == whole + 100 + 144)
        #expect(try peak(exists: [true, true, true, true]) == whole + 144)
    }

    @Test("a sum of bytes that does not fit is the largest number, and no trap")
    func overflow() throws {
        let peak = try plan([part("a", 0, 0, 10, 10)]).peakByteCount(byteLimit: .max) { _ in .max }
        #expect(peak == .max)
    }

    @Test("a context beyond the limit, and a size without sense, are errors unless the part is hidden")
    func errors() throws {
        var large = part("large", 0, 0, 300, 300)
        #expect(throws: DisplayError.tooManyBytes(needed: 360_000, limit: 100_000)) {
            try peak([large], limit: 100_000)
        }
        #expect(throws: DisplayError.tooManyBytes(needed: 80_000, limit: -5)) { try peak([large], limit: -5) }
        large.size.width = -1
        #expect(throws: DisplayError.invalidSize(large.size)) { try plan([large]) }
        large.size.width = 1
        large.scale = 0
        #expect(throws: DisplayError.invalidScale(0)) { try plan([large]) }
        large.placement.isHidden = true
        #expect(try drawn([large]).isEmpty)
    }

    @Test("parts may lie 512 levels deep; deeper ones are an error, and overflow no stack")
    func depth() throws {
        func chain(_ levels: Int) -> Part {
            var top = part("part", 0, 0, 9, 9)
            for _ in 1..<levels { top = part("part", 0, 0, 9, 9, parts: [top]) }
            return top
        }
        #expect(try drawn([chain(512)]).count == 512)
        let error = DisplayError.treeTooDeep(limit: 512)
        #expect(throws: error) { _ = try plan([chain(513)]) }
        #expect(throws: error) { _ = try plan([chain(200_000)]) }
        #expect(throws: error) { _ = try plan([part("a", 0, 0, 9, 9), chain(513)]) }
        var deep = chain(513)
        deep.parts = [part("shallow", 0, 0, 9, 9)]
        #expect(try drawn([deep]) == ["part", "shallow"])
        #expect(error.description.contains("512"))
    }

    @Test("the deepest composition is planned on a stack that a main thread has")
    func stack() throws {
        /// Is hashed as its part is planned.
        struct Probe: Hashable {
            let addresses: Recorder<UInt>

            static func == (left: Self, right: Self) -> Bool { true }

            func hash(into hasher: inout Hasher) {
                var local = 0
                withUnsafeMutablePointer(to: &local) { addresses.append(UInt(bitPattern: $0)) }
            }
        }
        let addresses = Recorder<UInt>()
        var top = part("part", 0, 0, 9, 9)
        for level in 1...512 {
            if level > 1 { top = part("part", 0, 0, 9, 9, parts: [top]) }
            top.key = ContentKey(Probe(addresses: addresses))
            (top.placement.opacity, top.placement.masksToBounds) = (0.9, true)
        }
        _ = try plan([top])
        let (first, last) = (try #require(addresses.elements.first), try #require(addresses.elements.last))
        // Optimized, less than the mebibyte that a main thread has on some platforms; under a sanitizer more.
        #expect(addresses.elements.count == 512 && max(first, last) - min(first, last) < 2 << 20)
    }

    @Test("100,000 parts beside each other are drawn, each once")
    func wide() throws {
        let parts = (0..<100_000).map { part("\($0)", Double($0 % 100), 0, 1, 1) }
        #expect(try drawn(parts) == parts.indices.map { "\($0)" })
    }
}
