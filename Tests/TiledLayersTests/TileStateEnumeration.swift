import Testing

import AsyncLayers
@testable import TiledLayers

/// All states that a tile reaches by sequences of events, each compared with the edits that
/// by these events are in its pictures.
@Suite("The states of a tile")
struct TileStateEnumeration {
    private enum Event: CaseIterable {
        case damaged, began, pictureCame, ended, failed, published, taken, uploaded, forgotten, retried
    }

    /// A picture, by the edits that are in it: the bits of a number.
    private struct World: Hashable {
        var state = TileState()
        var edits = 0
        var shown: Int?
        var held: Int?
        var drawn: Int?
        /// Whether the picture of the draw has come.
        var hasCome = false
        /// The pictures that the program, the painter and the tile have.
        var texture: Int?
        var painter: Int?
        var former: Int?
    }

    private static let editCount = 3

    private static func pixels(of edit: Int) -> PixelRect {
        PixelRect(minX: edit, minY: 0, maxX: edit + 1, maxY: 1)
    }

    /// The pixels of all edits that a picture lacks.
    private static func lacking(_ picture: Int, of edits: Int) -> (since: UInt64, pixels: PixelRect)? {
        let lacking = (0..<edits).filter { picture >> $0 & 1 == 0 }
        guard let first = lacking.first else { return nil }
        let none = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
        return (UInt64(first + 1), lacking.reduce(none) { $0.union(pixels(of: $1)) })
    }

    private static func expect(_ picture: TileState.Picture?, shows edits: Int?, of world: World) {
        guard let picture, let edits else { return #expect(picture == nil && edits == nil) }
        let lacking = lacking(edits, of: world.edits)
        #expect(picture.lacks?.since == lacking?.since && picture.lacks?.pixels == lacking?.pixels)
    }

    /// The world after an event; nil if it cannot come.
    private func next(_ world: World, _ event: Event) -> World? {
        var next = world
        let all = (1 << world.edits) - 1
        switch event {
        case .damaged:
            guard world.edits < Self.editCount else { return nil }
            next.edits += 1
            next.state.damaged(Self.pixels(of: world.edits), by: UInt64(world.edits + 1))
        case .began:
            guard world.state.needsDrawing else { return nil }
            let newest = world.held ?? world.shown
            #expect(world.drawn == nil && newest != all)
            // A draw begins with the newest picture, if the painter has it, and draws what that lacks.
            if world.state.isNewestOfPainter { #expect(newest != nil && world.painter == newest) }
            let lacking = newest.flatMap { Self.lacking($0, of: world.edits) }
            #expect(world.state.pixelsToDraw == lacking?.pixels)
            next.state.began()
            (next.drawn, next.hasCome) = (all, false)
        case .pictureCame:
            guard let drawn = world.drawn, !world.hasCome else { return nil }
            if next.state.pictureCame() {
                #expect(world.painter == world.shown && world.shown != nil)
                next.former = world.painter
            }
            (next.painter, next.held, next.hasCome) = (drawn, drawn, true)
        case .ended, .failed:
            guard world.drawn != nil, event == .ended || !world.hasCome else { return nil }
            if next.state.ended(isFailure: event == .failed) { next.painter = nil }
            next.drawn = nil
            #expect(!next.state.isDrawing)
            let isOld = world.drawn != all
            #expect(next.state.hasFailed == (event == .failed && !isOld))
        case .published:
            guard world.held != nil else {
                let isNew = next.state.published()
                #expect(!isNew && next.state == world.state)
                return nil
            }
            let isNew = next.state.published()
            #expect(isNew)
            (next.shown, next.held, next.former) = (world.held, nil, nil)
        case .taken:
            let change = next.state.takes()
            switch change {
            case .added: #expect(world.texture == nil && world.shown != nil)
            case .changed(let pixels):
                // The pixels include all edits in which the texture differs from the picture on show.
                guard let texture = world.texture, let shown = world.shown else {
                    Issue.record("a change of nothing")
                    return nil
                }
                for edit in 0..<world.edits where (texture ^ shown) >> edit & 1 == 1 {
                    #expect(pixels.intersection(Self.pixels(of: edit)) != nil)
                }
            case nil: #expect(world.texture == world.shown)
            }
            next.texture = world.shown
        case .uploaded:
            let letsGo = next.state.uploaded()
            if next.state.keeper == .program {
                #expect(world.texture == world.shown)
                next.former = nil
            }
            if letsGo { next.painter = nil }
        case .forgotten:
            next.state.forgotten()
            next.texture = nil
            if world.state.keeper == .program { next.shown = nil }
        case .retried: next.state.retried()
        }
        return next
    }

    private func check(_ world: World) {
        let state = world.state
        Self.expect(state.shown, shows: world.shown, of: world)
        Self.expect(state.held, shows: world.held, of: world)
        if state.shown != nil {
            switch state.keeper {
            case .painter: #expect(world.painter == world.shown)
            case .tile: #expect(world.former == world.shown && world.painter == world.held)
            case .program: #expect(world.texture == world.shown)
            }
        }
        if world.held != nil { #expect(world.painter == world.held) }
        // Memory: kept pictures are counted, and useless ones released.
        let kept = (world.painter == nil ? 0 : 1) + (world.former == nil ? 0 : 1)
        #expect(kept <= state.pictureCount)
        let isReplaced = world.held != nil || world.drawn != nil
        if state.keeper == .program, !isReplaced { #expect(world.painter == nil) }
        if state.isFresh { #expect(world.shown == (1 << world.edits) - 1) }
        #expect(state.isTaken == (world.texture != nil))
    }

    @Test("in each state a tile knows what its pictures lack, who has them, and what is to be uploaded")
    func enumeration() {
        var (visited, next) = (Set([World()]), [World()])
        while let world = next.popLast() {
            check(world)
            for event in Event.allCases {
                guard let following = self.next(world, event), visited.insert(following).inserted else {
                    continue
                }
                next.append(following)
            }
        }
        #expect(visited.count > 300, "\(visited.count) states")
    }
}
