public import AsyncLayers
import Synchronization
import Transactions

/// Gives a ``TiledLayer`` what it draws.
@MainActor
public protocol TiledLayerDelegate<R>: AnyObject {
    /// What the tiles are drawn with.
    associatedtype R: Renderer

    /// Returns what draws any tile of the content as it is now; nil draws nothing. Called on the main actor,
    /// at the end of a turn in which something was damaged.
    ///
    /// The closure captures an immutable snapshot of the content, since tiles that come into view later are
    /// drawn by it, too. It runs on pool threads, in several at a time.
    func drawing(for layer: TiledLayer<R>) -> TiledLayer<R>.Draw?
}

/// Content of any extent, drawn in tiles: only what is in view or will be, and after an edit only what has
/// changed.
///
///     let layer = TiledLayer(renderer: BitmapRenderer(), contentSize: Size(width: 20_000, height: 20_000))
///     layer.delegate = document
///     layer.didChange = { window.needsFrame = true }
///     try layer.show(Rect(x: 0, y: 0, width: 1_920, height: 1_080), scale: 1)
///     // after an edit: layer.setNeedsDisplay(in: former.union(new))
///     // in a frame:
///     let changes = layer.takeChanges()  // upload what was added or changed, draw what is placed
///
/// Always: what one edit has changed in view appears in one step, or after ``editLimit``; nothing older
/// replaces what is newer; what was drawn and is in view stays covered; at rest all is sharp, and nothing is
/// drawn. The ways of Chromium's compositor and of map renderers; `Docs/Decisions` says which, and why.
///
/// *Main-actor isolated*; ``setNeedsDisplay(in:)`` and ``setNeedsDisplay()`` are *thread-safe*.
@MainActor
public final class TiledLayer<R: Renderer> {
    /// Draws a tile, in points of the content. Runs on a pool thread.
    public typealias Draw = @Sendable (_ context: R.Context, _ scope: TileScope) throws -> Void

    /// The extent of the content, in points. Where it grows, what came in is drawn; call
    /// ``setNeedsDisplay(in:)`` for what has changed otherwise.
    public var contentSize: Size {
        didSet { if contentSize != oldValue { contentSizeChanged() } }
    }

    /// Gives what is drawn. Not retained; without one nothing is.
    public weak var delegate: (any TiledLayerDelegate<R>)?

    /// Called on the main actor when there is something new to take, once until ``takeChanges()`` is called.
    public var didChange: (@MainActor () -> Void)?

    /// Called on the main actor when a tile could not be drawn. It keeps what it shows, and is tried again
    /// when it is damaged, or by ``retry()``.
    public var didFail: (@MainActor (any Error) -> Void)?

    /// How far strokes and shadows reach beyond what is damaged, in points. Default: 1.
    public var damageOutset = 1.0

    /// How long an edit waits for all its tiles in view; then those appear that are there. Default: 33 ms,
    /// two frames at 60 Hz.
    public var editLimit = Duration.milliseconds(33)

    /// How long the main thread waits at the end of the turn for damaged tiles in view
    /// (`AsyncLayer.displayDeadline`). Default: nil, not at all.
    public var displayDeadline: Duration?

    /// The most bytes of pictures, those of uploaded tiles included; what is in view is never let go.
    /// Default: 256 MiB.
    public var byteLimit = 256 << 20 {
        didSet { scheduleUpdate() }
    }

    /// How many tiles are drawn or wait for a thread at a time; more are chosen when these end. Default: 16.
    public var maximumDraws = 16

    nonisolated let renderer: R
    nonisolated let host: DisplayHost
    private nonisolated let tileExtent: Int?
    nonisolated let list = DamageList()
    private nonisolated let turn = LayerTurn()

    private(set) var content: Draw?
    private(set) var view: (visible: Rect, scale: Double) = (.zero, 1)
    private(set) var isMoving = false
    var movement = ViewMovement()
    /// The one that is wanted first.
    var levels: [Level<R>] = []
    /// The number of the newest edit, and of the turn.
    private var (lastEdit, lastTurn): (UInt64, UInt64) = (0, 0)
    private var lastID: UInt64 = 0
    private var edit: Edit?
    private var restTimer: HostTimer?
    private var drawing: Set<TileID> = []
    var statistics_ = TileStatistics()
    var handOut = HandOut()
    private var isAnnounced = false
    private var isUpdating = false
    private var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
    private var lastWaiter: UInt64 = 0

    /// Tiles in view whose newest damage is to appear together.
    private struct Edit {
        var tiles: [TileID: Tile<R>] = [:]
        let timer: HostTimer
    }

    /// Makes a layer that shows nothing.
    ///
    /// - Parameters:
    ///   - renderer: makes contexts and pictures; its contexts must honour
    ///     `ContextDescription.pixelOriginX`.
    ///   - contentSize: in points; not finite or negative counts as zero.
    ///   - tileExtent: the width and height of a tile in pixels, at least 16. Default: nil, 256, and 512 at
    ///     scale 2 and above. Content of at most 512 × 512 pixels is one tile.
    ///   - host: where tiles are drawn.
    public init(renderer: R, contentSize: Size, tileExtent: Int? = nil, host: DisplayHost = .main) {
        (self.renderer, self.host, self.contentSize) = (renderer, host, contentSize)
        self.tileExtent = tileExtent.map { max(16, $0) }
        turn.layer = { [weak self] in self?.update() }
    }

    // MARK: In

    /// Something has changed: what it shows now, and what it showed. Drawn anew if it is in view, and kept
    /// until a picture shows it. *Thread-safe*; any number a turn.
    public nonisolated func setNeedsDisplay(in rect: Rect) {
        guard !rect.isEmpty else { return }
        if list.insert(rect) { scheduleUpdate() }
    }

    /// Everything has changed. *Thread-safe.*
    public nonisolated func setNeedsDisplay() {
        if list.insertWhole() { scheduleUpdate() }
    }

    nonisolated func scheduleUpdate() { turn.request(host.transactions) }

    /// Shows a part of the content.
    ///
    /// - Parameters:
    ///   - visible: in points of the content; may reach beyond it.
    ///   - scale: pixels of the view per point.
    ///   - isMoving: whether more will follow, as in a gesture: then the scale of the tiles changes in steps
    ///     of two. It is taken to have ended after 0.2 s without a call.
    /// - Throws: ``TiledLayerError`` for what is empty, not finite, or too large.
    public func show(_ visible: Rect, scale: Double, isMoving: Bool = false) throws(TiledLayerError) {
        let extent = Double(TileGrid.maximumExtent - 2 * 4096)
        guard scale.isFinite, scale > 0 else { throw .invalidScale(scale) }
        guard !visible.isEmpty,
            [visible.minX, visible.minY, visible.maxX, visible.maxY].allSatisfy(\.isFinite),
            visible.size.width * scale <= 65_536, visible.size.height * scale <= 65_536
        else { throw .invalidView(visible) }
        guard max(size.width, size.height) * scale <= extent else { throw .tooManyPixels(scale: scale) }
        let isZoom = scale != view.scale
        movement.note(visible, isZoom: isZoom, at: host.loop.now)
        view = (visible, scale)
        self.isMoving = isMoving
        restTimer?.cancel()
        restTimer = nil
        if isMoving {
            restTimer = host.loop.perform(at: host.loop.now + .milliseconds(200)) { [weak self] in
                self?.rest()
            }
        } else {
            movement.stop()
        }
        scheduleUpdate()
    }

    private func rest() {
        isMoving = false
        movement.stop()
        scheduleUpdate()
    }

    /// The size of the content, as far as it is one.
    var size: Size {
        func length(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }
        return Size(width: length(contentSize.width), height: length(contentSize.height))
    }

    /// Tries tiles again that could not be drawn.
    public func retry() {
        for tile in tiles { tile.hasFailed = false }
        scheduleUpdate()
    }

    var tiles: [Tile<R>] { levels.flatMap { $0.tiles.values } }

    // MARK: The end of the turn

    private func update() {
        isUpdating = true
        lastTurn += 1
        takeDamage()
        chooseLevel()
        startDraws()
        trim(toBytes: byteLimit)
        isUpdating = false
        resumeWaiters()
        announce()
    }

    private func takeDamage() {
        let damage = list.take()
        guard content == nil || !damage.isEmpty else { return }
        guard let delegate else { return content = nil }
        lastEdit += 1
        content = delegate.drawing(for: self)
        for level in levels {
            let visible = level.grid.pixels(in: view.visible)
            if damage.isWhole {
                for tile in level.tiles.values { add(tile.drawnFrame, to: tile, visible) }
                continue
            }
            for rect in damage.rects {
                let pixels = level.grid.pixels(in: rect.inset(by: -max(0, damageOutset)))
                // The pixel around a tile belongs to its picture.
                let touched = PixelRect(
                    minX: pixels.minX - 1, minY: pixels.minY - 1, maxX: pixels.maxX + 1, maxY: pixels.maxY + 1
                )
                for tile in level.tiles(in: touched) { add(pixels, to: tile, visible) }
            }
        }
    }

    private func add(_ pixels: PixelRect, to tile: Tile<R>, _ visible: PixelRect) {
        guard let common = tile.drawnFrame.intersection(pixels) else { return }
        tile.addDamage(common.moved(x: -tile.drawnFrame.minX, y: -tile.drawnFrame.minY), of: lastEdit)
        if tile.scale == levels.first?.grid.scale, tile.frame.intersection(visible) != nil { join(tile) }
    }

    /// Changes the wanted level, if the scale asks for another one.
    private func chooseLevel() {
        guard view.visible != .zero else { return }
        let scale = wantedScale
        let extent = tileExtent ?? (scale >= 2 ? 512 : 256)
        let grid = TileGrid(content: size, scale: scale, tileExtent: extent)
        guard levels.first?.grid != grid else { return }
        if let index = levels.firstIndex(where: { $0.grid == grid }) {
            levels.insert(levels.remove(at: index), at: 0)
        } else {
            levels.insert(Level(grid), at: 0)
        }
        endEdit()
        if levels.count > 3 { remove(levels.remove(at: victim)) }
    }

    /// The exact scale at rest. While it moves: the next one by factors of two that is not too coarse.
    private var wantedScale: Double {
        guard isMoving, let present = levels.first?.grid.scale else { return view.scale }
        let ratio = view.scale / present
        guard ratio > 2 || ratio < 1 / 1.2 else { return present }
        let target = present * _exp2(ratio)
        let near = levels.map(\.grid.scale).first { max($0 / target, target / $0) <= 1.2 }
        return near ?? min(target, view.scale * 1.2)
    }

    /// The power of two that is at most a ratio.
    private func _exp2(_ ratio: Double) -> Double {
        Double(sign: .plus, exponent: ratio.exponent, significand: 1)
    }

    /// The level that is missed least: of which nothing is in view, or the oldest.
    private var victim: Int {
        levels.indices.dropFirst().last { !handOut.levels.contains(levels[$0].grid.scale) } ?? levels.count
            - 1
    }

    private func contentSizeChanged() {
        let size = size
        // Tiles keep their places as long as there are several.
        levels.removeAll { level in
            let isSame =
                TileGrid(
                    content: size, scale: level.grid.scale,
                    tileExtent: tileExtent ?? (level.grid.scale >= 2 ? 512 : 256)) == level.grid
            if !isSame { remove(level) }
            return !isSame
        }
        scheduleUpdate()
    }

    // MARK: What is drawn next

    private func startDraws() {
        guard let level = levels.first, content != nil else { return }
        let visible = view.visible
        let inView = level.grid.pixels(in: visible).intersection(level.grid.frame(ofContent: size))
        var candidates: [(tile: Tile<R>, reason: TileStatistics.Reason, key: (Int, Double))] = []
        let center = level.grid.pixels(
            in: Rect(center: visible.center, size: Size(width: 1e-9, height: 1e-9)))
        for index in level.grid.indices(in: inView ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)) {
            let tile = tile(at: index, of: level)
            tile.lastWanted = lastTurn
            guard tile.needsDrawing else { continue }
            let (x, y) = (
                Double(tile.frame.minX + tile.frame.maxX) / 2 - Double(center.minX),
                Double(tile.frame.minY + tile.frame.maxY) / 2 - Double(center.minY)
            )
            let isMissing = tile.shown.isNothing
            let rank = isMissing == (movement.velocity != .zero) ? 0 : 1
            candidates.append((tile, isMissing ? .first : .damage, (rank, x * x + y * y)))
        }
        let isAllInView = candidates.isEmpty
        addAhead(of: level, to: &candidates)
        candidates.sort { $0.key < $1.key }
        for tile in tiles where tile.isDrawing && tile.lastWanted != lastTurn { tile.layer.cancelDisplay() }
        var bytes = tiles.reduce(0) { $0 + $1.pictureBytes }
        for (tile, reason, _) in candidates {
            guard drawing.count < maximumDraws else { break }
            if reason == .ahead {
                // What is in view comes first, and what is drawn ahead does not displace it.
                guard isAllInView, bytes + tile.byteCount <= byteLimit else { break }
            }
            bytes += tile.byteCount
            drawing.insert(tile.id)
            statistics_.draws[reason, default: 0] += 1
            tile.draw(deadline: reason == .damage ? displayDeadline : nil)
        }
    }

    private func addAhead(
        of level: Level<R>,
        to candidates: inout [(tile: Tile<R>, reason: TileStatistics.Reason, key: (Int, Double))]
    ) {
        guard !isMoving || movement.velocity != .zero else { return }
        let visible = view.visible
        let (ahead, around) = (movement.ahead(of: visible), movement.around(visible))
        let content = level.grid.frame(ofContent: size)
        guard let wanted = level.grid.pixels(in: ahead.union(around)).intersection(content) else { return }
        for index in level.grid.indices(in: wanted) {
            let frame = level.grid.frame(of: index)
            let rect =
                Rect(
                    x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width),
                    height: Double(frame.height)) * (1 / level.grid.scale)
            let isAhead = ahead.intersects(rect)
            guard isAhead || around.intersects(rect), level.tiles[index]?.lastWanted != lastTurn else {
                continue
            }
            let tile = tile(at: index, of: level)
            tile.lastWanted = lastTurn
            guard tile.needsDrawing else { continue }
            let distance = rect.center - visible.center
            let key =
                isAhead
                ? (2, movement.time(until: rect, visible: visible))
                : (3, distance.x * distance.x + distance.y * distance.y)
            candidates.append((tile, .ahead, key))
        }
    }

    private func tile(at index: TileGrid.Index, of level: Level<R>) -> Tile<R> {
        if let tile = level.tiles[index] { return tile }
        lastID += 1
        let tile = Tile<R>(TileID(number: lastID), index, of: level.grid, owner: self)
        level.tiles[index] = tile
        return tile
    }

    // MARK: Edits

    func isHeldBack(_ tile: Tile<R>) -> Bool { edit?.tiles[tile.id] != nil }

    private func join(_ tile: Tile<R>) {
        if edit == nil {
            let timer = host.loop.perform(at: host.loop.now + editLimit) { [weak self] in
                self?.endEdit()
                self?.announce()
            }
            edit = Edit(timer: timer)
        }
        edit?.tiles[tile.id] = tile
    }

    /// Shows what there is of the edit; what is drawn later appears by itself.
    private func endEdit() {
        guard let tiles = edit?.tiles.values else { return }
        edit?.timer.cancel()
        edit = nil
        for tile in tiles { tile.publish() }
    }

    func tileHasEnded(_ tile: Tile<R>) {
        drawing.remove(tile.id)
        if let edit, edit.tiles.values.allSatisfy(\.isAtRest) { endEdit() }
        scheduleUpdate()
        announce()
    }

    func tileHasFailed(_ error: any Error) {
        statistics_.failures += 1
        didFail?(error)
    }

    func tileHasChanged() { handOut.isNew = true }

    private func announce() {
        guard handOut.isNew || handOut.view?.visible != view.visible || handOut.view?.scale != view.scale,
            !isUpdating, !isAnnounced
        else { return }
        isAnnounced = true
        didChange?()
    }

    func changesAreTaken() { (isAnnounced, handOut.isNew) = (false, false) }

    // MARK: Memory

    /// Lets the pictures go that were wanted longest ago, until the rest takes at most this many bytes; what
    /// is in view stays. Call it when memory is short.
    public func trim(toBytes limit: Int) {
        var bytes = tiles.reduce(0) { $0 + $1.pictureBytes }
        statistics_.byteCount = bytes
        guard bytes > max(0, limit) else { return }
        let inView = Set(handOut.placed.keys)
        let idle = tiles.filter { $0.lastWanted != lastTurn && !inView.contains($0.id) }
        for tile in idle.sorted(by: { $0.lastWanted < $1.lastWanted }) where bytes > max(0, limit) {
            bytes -= tile.pictureBytes
            levels.first { $0.grid.scale == tile.scale }?.tiles[tile.index] = nil
            remove(tile)
        }
        statistics_.byteCount = bytes
    }

    private func remove(_ level: Level<R>) { for tile in level.tiles.values { remove(tile) } }

    private func remove(_ tile: Tile<R>) {
        edit?.tiles[tile.id] = nil
        drawing.remove(tile.id)
        guard case .picture = tile.handedOut else { return }
        handOut.removed.append(tile.id)
        handOut.isNew = true
    }

    // MARK: At rest

    /// True when all that is in view is shown up to date and at its exact scale, as far as it can be drawn.
    public var isComplete: Bool {
        guard !isMoving, let level = levels.first, level.grid.scale == view.scale, edit == nil,
            !host.transactions.hasPending
        else { return false }
        let content = level.grid.frame(ofContent: size)
        guard let inView = level.grid.pixels(in: view.visible).intersection(content) else { return true }
        return level.grid.indices(in: inView).allSatisfy { index in
            level.tiles[index].map { $0.isFresh || $0.hasFailed } ?? false
        }
    }

    /// Returns when the layer ``isComplete``, or the task is cancelled.
    public func settled() async {
        guard !isComplete else { return }
        lastWaiter += 1
        let number = lastWaiter
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                waiters[number] = continuation
                scheduleUpdate()
            }
        } onCancel: {
            host.loop.perform { [weak self] in self?.waiters.removeValue(forKey: number)?.resume() }
        }
    }

    private func resumeWaiters() {
        guard !waiters.isEmpty, isComplete else { return }
        let present = waiters.values
        waiters = [:]
        for waiter in present { waiter.resume() }
    }

    isolated deinit { for waiter in waiters.values { waiter.resume() } }
}

extension Level {
    /// The tiles that exist of those that some pixels touch.
    func tiles(in pixels: PixelRect) -> [Tile<R>] {
        let (columns, rows) = grid.tiles(in: pixels)
        if columns.count * rows.count > tiles.count {
            return tiles.values.filter { $0.frame.intersection(pixels) != nil }
        }
        return rows.flatMap { row in
            columns.compactMap { tiles[TileGrid.Index(column: $0, row: row)] }
        }
    }
}

/// The end of a layer's turn. The transaction queue retains it, not the layer.
private final class LayerTurn: TurnTarget {
    private let isRequested = Atomic<Bool>(false)
    /// Set when the layer is made.
    @MainActor var layer: () -> Void = {}

    nonisolated init() {}

    // Acquiring and releasing: who finds it requested wrote before what the update will read.
    nonisolated func request(_ transactions: TransactionQueue) {
        if !isRequested.exchange(true, ordering: .acquiringAndReleasing) { transactions.commit(self) }
    }

    func turnEnds() {
        _ = isRequested.exchange(false, ordering: .acquiringAndReleasing)
        layer()
    }
}

/// Why a ``TiledLayer`` cannot show something.
public enum TiledLayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Empty, not finite, or more than 65,536 pixels a side.
    case invalidView(Rect)
    /// Not finite, or not above zero.
    case invalidScale(Double)
    /// The content would be wider or higher than 16 million pixels.
    case tooManyPixels(scale: Double)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .invalidView(let rect):
            "a view must be finite, not empty, and at most 65,536 pixels wide and high; it is \(rect)"
        case .invalidScale(let scale): "a view's scale must be finite and above zero; it is \(scale)"
        case .tooManyPixels(let scale):
            "at scale \(scale) the content has more than \(TileGrid.maximumExtent) pixels a side"
        }
    }
}
