public import AsyncLayers
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
        didSet { if contentSize != oldValue { contentSizeHasChanged(from: oldValue) } }
    }

    /// Gives what is drawn. Not retained; without one nothing is.
    public weak var delegate: (any TiledLayerDelegate<R>)? {
        didSet { setNeedsDisplay() }
    }

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
    let tileExtent: Int?
    private nonisolated let list = DamageList()
    private nonisolated let turn = LayerTurn()

    /// What draws the content as the newest edit has left it.
    private(set) var content: Draw?
    private(set) var view: (visible: Rect, scale: Double)?
    private(set) var isMoving = false
    private var restTimer: HostTimer?
    private(set) var movement = ViewMovement()
    /// The one that is wanted first.
    var levels: [Level<R>] = []
    var tiles: [TileID: Tile<R>] = [:]
    private var lastID: UInt64 = 0
    private(set) var lastTurn: UInt64 = 0
    private var lastEdit: UInt64 = 0
    private var edit: Edit?
    /// Those that are being drawn.
    var drawing: Set<TileID> = []
    var counts = TileStatistics()
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
    ///   - tileExtent: the width and height of a tile in pixels, clamped to 16…4,096. Default: nil, 256, and
    ///     512 at scale 2 and above. Content of at most 512 × 512 pixels is one tile.
    ///   - host: where tiles are drawn.
    public init(renderer: R, contentSize: Size, tileExtent: Int? = nil, host: DisplayHost = .main) {
        (self.renderer, self.host, self.contentSize) = (renderer, host, contentSize)
        self.tileExtent = tileExtent.map { min(max(16, $0), 4_096) }
        turn.layer = { [weak self] in self?.update() }
    }

    // MARK: In

    /// Something has changed: give what it showed and what it shows. It is drawn again if it is in view, and
    /// kept until a picture shows it. An empty rectangle changes nothing. *Thread-safe*; any number a turn.
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
    ///   - visible: in points of the content; may reach beyond it. For pictures whose pixels are those of the
    ///     view its origin should be at a whole pixel; it is rounded to one.
    ///   - scale: pixels of the view per point.
    ///   - isMoving: whether more will follow, as in a gesture: then the scale of the tiles changes in steps
    ///     of two, and tiles are drawn ahead of the movement. It is taken to have ended after 0.2 s without a
    ///     call.
    /// - Throws: ``TiledLayerError`` for what is empty, not finite, or too large; the view stays.
    public func show(_ visible: Rect, scale: Double, isMoving: Bool = false) throws(TiledLayerError) {
        let extent = Double(TileGrid.maximumExtent)
        guard scale.isFinite, scale > 0 else { throw .invalidScale(scale) }
        let edges = [visible.minX, visible.minY, visible.maxX, visible.maxY]
        guard !visible.isEmpty, edges.allSatisfy({ abs($0 * scale) <= 2 * extent }),
            max(visible.size.width, visible.size.height) * scale <= 65_536
        else { throw .invalidView(visible) }
        // The tile that begins last reaches beyond the content.
        guard max(size.width, size.height) * scale <= extent - Double((tileExtent ?? 512) + 1) else {
            throw .tooManyPixels(scale: scale)
        }
        movement.note(visible, isZoom: scale != view?.scale, at: host.loop.now)
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
    var size: Size { Self.size(contentSize) }

    private static func size(_ size: Size) -> Size {
        func length(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }
        return Size(width: length(size.width), height: length(size.height))
    }

    /// The outset, as far as it is one; less than what overflows.
    var outset: Double { damageOutset > 0 ? min(damageOutset, Double(TileGrid.maximumExtent)) : 0 }

    /// Tiles at the former edge show what came in as far as they reach.
    private func contentSizeHasChanged(from former: Size) {
        let (former, size) = (Self.size(former), size)
        let (width, height) = (max(former.width, size.width), max(former.height, size.height))
        setNeedsDisplay(in: Rect(x: former.width, y: 0, width: width - former.width, height: height))
        setNeedsDisplay(in: Rect(x: 0, y: former.height, width: width, height: height - former.height))
        scheduleUpdate()
    }

    /// Tries tiles again that could not be drawn.
    public func retry() {
        for tile in tiles.values { tile.hasFailed = false }
        scheduleUpdate()
    }

    // MARK: The end of the turn

    private func update() {
        isUpdating = true
        lastTurn += 1
        takeDamage()
        chooseLevel()
        dropLevels()
        startDraws()
        leaveEdit()
        trim(toBytes: byteLimit)
        isUpdating = false
        resumeWaiters()
        announce()
    }

    private func takeDamage() {
        let damage = list.take()
        guard let delegate else { return content = nil }
        guard content == nil || !damage.isEmpty else { return }
        lastEdit += 1
        content = delegate.drawing(for: self)
        for level in levels {
            if damage.isWhole {
                for tile in level.tiles.values { add(tile.drawnFrame, to: tile) }
                continue
            }
            for rect in damage.rects {
                let pixels = level.grid.pixels(in: rect.inset(by: -outset))
                // The pixel around a tile is in its picture.
                let touched = PixelRect(
                    minX: pixels.minX - 1, minY: pixels.minY - 1, maxX: pixels.maxX + 1, maxY: pixels.maxY + 1
                )
                for tile in level.tiles(in: touched) { add(pixels, to: tile) }
            }
        }
    }

    private func add(_ pixels: PixelRect, to tile: Tile<R>) {
        guard let common = tile.drawnFrame.intersection(pixels) else { return }
        tile.addDamage(common.moved(x: -tile.drawnFrame.minX, y: -tile.drawnFrame.minY), of: lastEdit)
        if isInView(tile) { join(tile) }
    }

    /// Whether a tile of the wanted level is in view.
    private func isInView(_ tile: Tile<R>) -> Bool {
        guard let view, tile.grid == levels.first?.grid else { return false }
        return tile.frame.intersection(tile.grid.pixels(in: view.visible)) != nil
    }

    func tile(at index: TileGrid.Index, of level: Level<R>) -> Tile<R> {
        if let tile = level.tiles[index] { return tile }
        lastID += 1
        let tile = Tile<R>(TileID(number: lastID), index, of: level.grid, owner: self)
        level.tiles[index] = tile
        tiles[tile.id] = tile
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

    /// Tiles that have left the view are not waited for.
    private func leaveEdit() {
        guard let tiles = edit?.tiles.values else { return }
        for tile in tiles where !isInView(tile) {
            edit?.tiles[tile.id] = nil
            tile.publish()
        }
        endEditIfReady()
    }

    private func endEditIfReady() { if edit?.tiles.values.allSatisfy(\.isAtRest) == true { endEdit() } }

    /// Shows what there is of the edit; what is drawn later appears by itself.
    func endEdit() {
        guard let ended = edit else { return }
        ended.timer.cancel()
        edit = nil
        for tile in ended.tiles.values { tile.publish() }
    }

    func tileHasEnded(_ tile: Tile<R>) {
        drawing.remove(tile.id)
        endEditIfReady()
        scheduleUpdate()
        announce()
    }

    func tileHasFailed(_ error: any Error) {
        counts.failures += 1
        didFail?(error)
    }

    func tileHasChanged(_ tile: Tile<R>) { handOut.changed.insert(tile.id) }

    private func announce() {
        guard !isUpdating, !isAnnounced, let view, handOut.isNew || handOut.view.map({ $0 != view }) ?? true
        else { return }
        isAnnounced = true
        didChange?()
    }

    func changesAreTaken() { isAnnounced = false }

    func remove(_ tile: Tile<R>) {
        tiles[tile.id] = nil
        edit?.tiles[tile.id] = nil
        drawing.remove(tile.id)
        handOut.changed.remove(tile.id)
        if case .picture = tile.handedOut { handOut.removed.append(tile.id) }
    }

    // MARK: At rest

    /// True when all that is in view is shown up to date and at its exact scale, as far as it can be drawn.
    /// False before the first ``show(_:scale:isMoving:)``. O(tiles in view).
    public var isComplete: Bool {
        guard let view, !isMoving, let level = levels.first, level.grid.scale == view.scale, edit == nil,
            list.isEmpty
        else { return false }
        return indicesInView(of: level).allSatisfy { index in
            level.tiles[index].map { $0.isFresh || $0.hasFailed } ?? (content == nil)
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

    isolated deinit {
        restTimer?.cancel()
        edit?.timer.cancel()
        for waiter in waiters.values { waiter.resume() }
    }
}
