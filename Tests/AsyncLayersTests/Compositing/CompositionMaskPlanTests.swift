import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Planning the masks of a composition", .timeLimit(.minutes(15)))
struct CompositionMaskPlanTests {
    typealias Part = Composition<RecordingRenderer>.Part

    private let picture = ContextDescription(pixelWidth: 200, pixelHeight: 100, scale: 2)

    private func part(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, parts: [Part] = []
    ) -> Part {
        Part(
            size: Size(width: width, height: height), scale: 1,
            placement: PartPlacement(origin: Point(x: x, y: y)), parts: parts
        ) { _, _ in }
    }

    /// A mask with round corners and without a picture of its own.
    private func mask(_ parts: [Part], at origin: Double = 10) -> Part {
        var mask = part(origin, origin, 20, 10, parts: parts)
        (mask.placement.masksToBounds, mask.placement.cornerRadius) = (true, 4)
        mask.draw = nil
        return mask
    }

    private let roundClip = ContentsPlacement.Clip(
        Rect(x: 0, y: 0, width: 20, height: 10), cornerRadius: 4, transform: .translation(x: 10, y: 10))

    private func plan(_ parts: [Part]) throws -> CompositionPlan {
        try CompositionPlan(parts.map(\.base), picture: picture)
    }

    /// An entry with the number of its clips: "part", "begin" or "end".
    private func entries(_ parts: [Part]) throws -> [String] {
        try plan(parts).entries.map { entry in
            switch entry {
            case .part(let part): "part \(part.placement.clips.count)"
            case .beginGroup: "begin"
            case .endGroup(let group): "end \(group.clips.count)"
            }
        }
    }

    @Test("pictures in one mask with round corners are drawn without it, and cut by it once, as a group")
    func sharedMask() throws {
        var own = mask([part(0, 0, 5, 5)])
        own.draw = { _, _ in }
        for parts in [[own], [mask([part(0, 0, 20, 10), part(0, 0, 5, 5)])]] {
            #expect(try entries(parts) == ["begin", "part 0", "part 0", "end 1"])
            guard case .endGroup(let group) = try #require(try plan(parts).entries.last) else { return }
            #expect(group.clips == [roundClip] && group.opacity == 1)
            #expect(group.extent == Rect(x: 20, y: 20, width: 40, height: 20))
        }
    }

    @Test("a mask around a single picture is no group; what cannot be seen does not count")
    func singlePicture() throws {
        var (hidden, clear) = (part(0, 0, 5, 5), part(0, 0, 5, 5))
        hidden.placement.isHidden = true
        clear.placement.opacity = 0
        let single = mask([hidden, part(0, 0, 5, 5), clear, part(30, 0, 5, 5), part(0, 0, 0, 0)])
        #expect(try entries([single]) == ["part 1"])
        guard case .part(let part)? = try plan([single]).entries.last else { return }
        #expect(part.placement.clips == [roundClip])
        #expect(try entries([mask([hidden, clear])]).isEmpty)
        var empty = mask([self.part(0, 0, 5, 5), self.part(0, 0, 5, 5)])
        empty.size.width = 0
        #expect(try entries([empty]).isEmpty)
    }

    @Test("a mask whose edges lie on pixels is no group, whatever is in it")
    func alignedMask() throws {
        let parts = [part(0, 0, 20, 10), part(0, 0, 5, 5)]
        var aligned = mask(parts)
        aligned.placement.cornerRadius = 0
        #expect(try entries([aligned]) == ["part 1", "part 1"])
        aligned.placement.origin.x = 10.5
        aligned.placement.transform = .rotation(.pi / 2)
        #expect(try entries([aligned]) == ["part 1", "part 1"])
        aligned.placement.origin.x = 10.2
        #expect(try entries([aligned]) == ["begin", "part 0", "part 0", "end 1"])
        aligned.placement.origin.x = 10
        aligned.placement.transform = .rotation(0.1)
        #expect(try entries([aligned]) == ["begin", "part 0", "part 0", "end 1"])
    }

    @Test("an edge between pixels where nothing can be seen needs no group")
    func unseenEdges() throws {
        var large = mask([part(0, 0, 20, 10), part(0, 0, 5, 5)])
        large.placement.cornerRadius = 0
        large.placement.origin = Point(x: -0.2, y: -1.3)
        large.size = Size(width: 400, height: 51.3)
        #expect(try entries([large]) == ["part 1", "part 1"])
        large.placement.cornerRadius = .nan
        #expect(try entries([large]) == ["part 1", "part 1"])
        large.placement.cornerRadius = 3
        #expect(try entries([large]) == ["begin", "part 0", "part 0", "end 1"])
        large.placement.cornerRadius = 0
        large.size.width = 20
        #expect(try entries([large]) == ["begin", "part 0", "part 0", "end 1"])
    }

    @Test("masks around each other with a single picture are no groups, and cut it from the outermost on")
    func nestedSinglePicture() throws {
        var inner = mask([part(0, 0, 5, 5)], at: 0)
        inner.placement.cornerRadius = 2
        var aligned = mask([inner], at: 0)
        aligned.placement.cornerRadius = 0
        let outer = mask([aligned])
        #expect(try entries([outer]) == ["part 3"])
        guard case .part(let part)? = try plan([outer]).entries.last else { return }
        #expect(part.placement.clips.map(\.cornerRadius) == [4, 0, 2])
    }

    @Test("a mask within a mask is a group of its own, which the outer one cuts with what is beside it")
    func nestedGroups() throws {
        let leaf = part(0, 0, 5, 5)
        let (inner, alone) = (mask([leaf, leaf], at: 0), mask([leaf], at: 0))
        #expect(
            try entries([mask([inner, leaf])])
                == ["begin", "begin", "part 0", "part 0", "end 1", "part 0", "end 1"])
        #expect(try entries([mask([alone, leaf])]) == ["begin", "part 1", "part 0", "end 1"])
        // A single group within is what a single picture is.
        #expect(try entries([mask([inner])]) == ["begin", "part 0", "part 0", "end 2"])
        #expect(
            try entries([mask([mask([inner], at: 0)]), leaf])
                == ["begin", "part 0", "part 0", "end 3", "part 0"])
    }

    @Test("one context serves a mask and the opacity of the same part, or of all that is in it")
    func translucentMask() throws {
        let leaf = part(0, 0, 5, 5)
        var both = mask([leaf, leaf])
        both.placement.opacity = 0.5
        #expect(try entries([both]) == ["begin", "part 0", "part 0", "end 1"])
        var translucent = part(0, 0, 9, 9, parts: [leaf])
        translucent.placement.opacity = 0.5
        #expect(try entries([mask([translucent])]) == ["begin", "part 0", "part 0", "end 1"])
        guard case .endGroup(let group)? = try plan([mask([translucent])]).entries.last else { return }
        #expect(group.opacity == 0.5 && group.clips == [roundClip])
    }

    @Test("the context of a mask counts as that of a translucent part, and keeps to the same limit")
    func memory() throws {
        func peak(_ parts: [Part], limit: Int = .max) throws -> Int {
            try plan(parts).peakByteCount(byteLimit: limit) { RecordingRenderer().byteCount(of: $0) }
        }
        let (whole, group, leaf) = (200 * 100 * 4, 42 * 22 * 4, part(0, 0, 20, 10))
        #expect(try peak([mask([leaf])]) == whole + 800)
        #expect(try peak([mask([leaf, leaf])]) == whole + group + 800)
        #expect(try peak([mask([leaf, leaf]), mask([leaf, leaf])]) == whole + group + 800)
        let inner = mask([leaf, leaf], at: 0)
        #expect(try peak([mask([inner])]) == whole + group + 800)
        #expect(try peak([mask([inner, leaf])]) == whole + group + group + 800)
        let small = try CompositionPlan([mask([leaf, leaf]).base], picture: picture)
        #expect(throws: DisplayError.tooManyBytes(needed: group, limit: group - 1)) {
            // The whole has its pixels elsewhere.
            try small.peakByteCount(byteLimit: group - 1) { description in
                description.pixelWidth == 200 ? 0 : RecordingRenderer().byteCount(of: description)
            }
        }
    }

    @Test("500 turned masks around each other cut each picture once, and are planned with few corners")
    func manyTurnedMasks() throws {
        var top = part(0, 0, 90, 45)
        for _ in 0..<500 {
            var next = part(0, 0, 90, 45, parts: [top])
            (next.placement.masksToBounds, next.placement.transform) = (true, .rotation(0.001))
            top = next
        }
        let clips = try plan([top]).entries.map { entry in
            switch entry {
            case .part(let part): part.placement.clips.count
            case .beginGroup: 0
            case .endGroup(let group): group.clips.count
            }
        }
        #expect(clips.count == 501 + 2 * 500 && clips.reduce(0, +) == 500)

        var region = VisibleRegion(picture.frame)
        for turn in 1...500 {
            let transform = LayerTransform.translation(x: -90, y: -40).concatenating(
                .rotation(Double(turn) * 0.01)
            ).concatenating(.translation(x: 100, y: 50))
            region = try #require(
                region.intersection(with: Rect(x: 0, y: 0, width: 180, height: 80), under: transform))
            #expect(region.cornerCount <= VisibleRegion.maximumCornerCount + 4)
        }
        // The circle that lies in all of them.
        #expect(region.bounds.contains(Rect(x: 60, y: 10, width: 80, height: 80)))
    }
}
