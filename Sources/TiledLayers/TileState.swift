import AsyncLayers

/// The pictures of a tile, the edits that they lack, and its draw: a value without layer, clock or pool,
/// which changes by events. `TileStateEnumeration` visits all of its states.
///
///     damaged ──► began ──► pictureCame ──► ended
///                               │
///                               └──► held, for the edit ──► published ──► taken ──► uploaded
///
/// A tile has one draw at a time. The picture that comes lacks damage that came meanwhile, which is drawn
/// next. So a picture's edits are always known.
struct TileState: Hashable {
    /// Edits that a picture does not show yet.
    struct Damage: Hashable {
        /// The number of the first edit that it does not show.
        var since: UInt64
        /// Of the picture's pixels.
        var pixels: PixelRect
    }

    /// A picture of the tile.
    struct Picture: Hashable {
        /// Nil if all edits are in it.
        var lacks: Damage?

        fileprivate mutating func damage(_ pixels: PixelRect, by edit: UInt64) {
            lacks = Damage(since: lacks?.since ?? edit, pixels: lacks?.pixels.union(pixels) ?? pixels)
        }
    }

    /// Who has the pixels of the picture that is shown.
    enum Keeper: Hashable {
        case painter
        /// The tile, since the painter has a newer one, which is held.
        case tile
        /// The program, which has uploaded it.
        case program
    }

    private enum Draw: Hashable {
        case none
        /// The picture that is being drawn.
        case running(Picture)
        /// The newest draw failed, and nothing has changed since.
        case failed
    }

    /// Whether the program has taken the picture that is shown.
    private enum Taken: Hashable {
        case nothing
        /// The picture, but for some pixels.
        case picture(changed: PixelRect?)
    }

    /// How the picture on show differs from the one that was taken last.
    enum Change: Hashable {
        case added
        /// Within some pixels.
        case changed(PixelRect)
    }

    /// The picture that is placed on the screen.
    private(set) var shown: Picture?
    /// Of the picture that is shown.
    private(set) var keeper = Keeper.painter
    /// A newer one of the painter's, until the edit that it belongs to appears.
    private(set) var held: Picture?
    private var draw = Draw.none
    private var taken = Taken.nothing

    // MARK: Questions

    var isFresh: Bool { shown.map { $0.lacks == nil } ?? false }

    var isDrawing: Bool { if case .running = draw { true } else { false } }

    var hasFailed: Bool { draw == .failed }

    /// Whether its newest picture lacks edits, or there is none, and nothing draws it.
    var needsDrawing: Bool {
        guard draw == .none else { return false }
        guard let newest = held ?? shown else { return true }
        return newest.lacks != nil
    }

    /// The pixels that the newest picture lacks; nil if it lacks none, or there is no picture.
    var pixelsToDraw: PixelRect? { (held ?? shown)?.lacks?.pixels }

    /// Whether there is a picture, on show or about to be.
    var hasPicture: Bool { shown != nil || held != nil }

    /// Whether the newest picture is the painter's.
    var isNewestOfPainter: Bool { held != nil || shown != nil && keeper == .painter }

    /// Whether nothing that is drawn or in flight will change it.
    var isAtRest: Bool { hasFailed || isFresh || held.map { $0.lacks == nil } ?? false }

    var isTaken: Bool { taken != .nothing }

    /// How many pictures it has, with the one that is being drawn.
    var pictureCount: Int { (shown == nil ? 0 : 1) + (held != nil || isDrawing ? 1 : 0) }

    // MARK: Events

    /// An edit has changed some of its pixels.
    mutating func damaged(_ pixels: PixelRect, by edit: UInt64) {
        shown?.damage(pixels, by: edit)
        held?.damage(pixels, by: edit)
        switch draw {
        case .none: break
        case .running(var picture):
            picture.damage(pixels, by: edit)
            draw = .running(picture)
        case .failed: draw = .none
        }
    }

    /// The painter begins to draw it as the newest edit has left it.
    mutating func began() { draw = .running(Picture()) }

    /// The painter has a new picture.
    ///
    /// - Returns: whether the tile must keep the painter's former one, which is shown.
    mutating func pictureCame() -> Bool {
        guard case .running(let picture) = draw else { return false }
        let isShown = held == nil && shown != nil && keeper == .painter
        if isShown { keeper = .tile }
        held = picture
        return isShown
    }

    /// The draw has ended, with a picture or without one.
    ///
    /// - Returns: whether the painter's picture is of no use any more.
    mutating func ended(isFailure: Bool) -> Bool {
        if case .running(let picture) = draw {
            // Damage that came meanwhile is a reason to try again.
            draw = isFailure && picture.lacks == nil ? .failed : .none
        }
        return canLetGo
    }

    /// The newest picture appears. Returns false if it is shown already.
    mutating func published() -> Bool {
        guard let newest = held else { return false }
        if case .picture(let changed) = taken {
            let pixels = shown?.lacks?.pixels ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
            taken = .picture(changed: changed?.union(pixels) ?? pixels)
        }
        (shown, keeper, held) = (newest, .painter, nil)
        return true
    }

    /// The program takes the picture that is shown. Returns nil if it has that.
    mutating func takes() -> Change? {
        defer { if shown != nil { taken = .picture(changed: nil) } }
        switch taken {
        case .nothing: return shown == nil ? nil : .added
        case .picture(let changed): return changed.map { .changed($0) }
        }
    }

    /// The program has uploaded the picture that it took last.
    ///
    /// - Returns: whether the painter's picture is of no use any more.
    mutating func uploaded() -> Bool {
        // Not if it is another one meanwhile.
        guard taken == .picture(changed: nil), shown != nil else { return false }
        keeper = .program
        return canLetGo
    }

    /// The program has lost its texture. A picture that is kept here is added again; one whose pixels were
    /// released is drawn again.
    mutating func forgotten() {
        taken = .nothing
        guard keeper == .program else { return }
        (shown, keeper) = (nil, .painter)
        retried()
    }

    /// A draw that failed is to be tried again.
    mutating func retried() { if hasFailed { draw = .none } }

    /// Whether the painter's picture is neither shown nor held, nor about to be replaced by another one.
    private var canLetGo: Bool { (keeper == .program || shown == nil) && held == nil && !isDrawing }
}
