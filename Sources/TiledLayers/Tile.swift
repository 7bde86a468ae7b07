import AsyncLayers

/// Names a tile, for as long as it exists; never used again.
public struct TileID: Hashable, Sendable {
    let number: UInt64
}

/// A tile: a layer that draws it, and what of it is shown.
@MainActor
final class Tile<R: Renderer>: AsyncLayerDelegate {
    /// What a picture does not show yet.
    struct Damage {
        /// The number of the first edit that it does not show.
        var since: UInt64
        /// Of the picture's pixels.
        var pixels: PixelRect

        static func add(_ pixels: PixelRect, of edit: UInt64, to damage: inout Damage?) {
            damage = Damage(since: damage?.since ?? edit, pixels: damage?.pixels.union(pixels) ?? pixels)
        }
    }

    /// The picture that is placed on the screen.
    enum Shown {
        case nothing
        /// The layer's contents.
        case newest
        /// An older one, until the edit that the layer's contents belong to appears.
        case former(FormerContents<R.Contents>)
        /// One that the program has uploaded.
        case uploaded

        var isNothing: Bool { if case .nothing = self { true } else { false } }
    }

    /// What the program knows of the picture that is shown.
    enum HandedOut {
        case nothing
        /// The picture, but for some pixels.
        case picture(changed: PixelRect?)
    }

    let id: TileID
    let index: TileGrid.Index
    /// The pixels of the level that it covers, and those that are in its picture.
    let (frame, drawnFrame): (PixelRect, PixelRect)
    let grid: TileGrid
    let byteCount: Int
    let layer: AsyncLayer<TileRenderer<R>>
    weak var owner: TiledLayer<R>?

    var shown = Shown.nothing
    /// Whether the layer has a newer picture than is shown.
    var hasNewer = false
    var isDrawing = false
    /// Why it was drawn last.
    var reason = TileStatistics.Reason.first
    /// Whether the newest draw failed, and nothing has changed since.
    var hasFailed = false
    /// What the shown picture lacks.
    var damage: Damage?
    /// What the newer picture lacks.
    private var newerDamage: Damage?
    /// What the picture lacks that is being drawn.
    private var drawnDamage: Damage?
    var handedOut = HandedOut.nothing
    /// The turn in which it was wanted last.
    var lastWanted: UInt64 = 0
    private var isLettingGo = false

    init(_ id: TileID, _ index: TileGrid.Index, of grid: TileGrid, owner: TiledLayer<R>) {
        (self.id, self.index, self.owner, self.grid) = (id, index, owner, grid)
        (frame, drawnFrame) = (grid.frame(of: index), grid.drawnFrame(of: index))
        let renderer = TileRenderer(base: owner.renderer, originX: drawnFrame.minX, originY: drawnFrame.minY)
        byteCount = renderer.byteCount(
            of: ContextDescription(
                pixelWidth: drawnFrame.width, pixelHeight: drawnFrame.height, scale: grid.scale))
        layer = AsyncLayer(renderer: renderer, host: owner.host)
        layer.bounds = Rect(
            size: Size(width: Double(drawnFrame.width), height: Double(drawnFrame.height)) * (1 / grid.scale))
        layer.contentsScale = grid.scale
        layer.delegate = self
        layer.contentsDidChange = { [weak self] in self?.contentsDidChange($0.former) }
    }

    var isFresh: Bool { !shown.isNothing && damage == nil }

    /// Whether a draw would bring it nearer to what it is to show.
    var needsDrawing: Bool {
        guard !isDrawing, !hasFailed else { return false }
        return hasNewer ? newerDamage != nil : !isFresh
    }

    /// Whether nothing that is drawn or in flight will change it.
    var isAtRest: Bool { hasFailed || isFresh || hasNewer && newerDamage == nil }

    /// The picture that is shown; nil if the program has uploaded it.
    var contents: R.Contents? {
        switch shown {
        case .nothing, .uploaded: nil
        case .newest: layer.contents
        case .former(let former): former.contents
        }
    }

    /// The bytes of its pictures.
    var pictureBytes: Int {
        var count = hasNewer || isDrawing ? 1 : 0
        if !shown.isNothing { count += 1 }
        return count * byteCount
    }

    func addDamage(_ pixels: PixelRect, of edit: UInt64) {
        hasFailed = false
        if !shown.isNothing { Damage.add(pixels, of: edit, to: &damage) }
        if hasNewer { Damage.add(pixels, of: edit, to: &newerDamage) }
        if isDrawing { Damage.add(pixels, of: edit, to: &drawnDamage) }
    }

    /// Begins to draw what the newest edit has made of it.
    func draw(deadline: Duration?) {
        (isDrawing, drawnDamage) = (true, nil)
        layer.displayDeadline = deadline
        layer.display()
    }

    func displayTask(for _: AsyncLayer<TileRenderer<R>>) -> DisplayTask<TileRenderer<R>>? {
        guard let owner else { return nil }
        let (draw, size) = (owner.content, owner.contentSize)
        let area = Rect(
            origin: Point(x: Double(drawnFrame.minX), y: Double(drawnFrame.minY)) * (1 / grid.scale),
            size: layer.bounds.size
        ).inset(by: -owner.outset)
        return DisplayTask(
            didDisplay: { [weak self] in self?.didDisplay($0) },
            draw: { [scale = grid.scale] context, scope in
                try draw?(context, TileScope(area: area, scale: scale, contentSize: size, scope))
            })
    }

    private func contentsDidChange(_ former: FormerContents<R.Contents>) {
        guard !isLettingGo else { return }
        if case .newest = shown, !hasNewer { shown = .former(former) }
        (hasNewer, newerDamage) = (true, drawnDamage)
        if owner?.isHeldBack(self) != true { publish() }
    }

    private func didDisplay(_ outcome: DisplayOutcome) {
        isDrawing = false
        if case .failed(let error) = outcome {
            hasFailed = true
            owner?.tileHasFailed(error)
        }
        owner?.tileHasEnded(self)
    }

    /// Shows the newest picture.
    func publish() {
        guard hasNewer else { return }
        if case .picture(let changed) = handedOut {
            let pixels = damage?.pixels ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
            handedOut = .picture(changed: changed?.union(pixels) ?? pixels)
        }
        shown = .newest
        hasNewer = false
        damage = newerDamage
        owner?.tileHasChanged(self)
    }

    /// Lets the pixels go of what the program has uploaded.
    func didUpload() {
        guard case .picture = handedOut, !shown.isNothing else { return }
        shown = .uploaded
        guard !hasNewer, !isDrawing else { return }
        isLettingGo = true
        layer.clear()
        isLettingGo = false
    }
}
