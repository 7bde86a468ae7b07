import QueuePools
import Sentinels
import Transactions

/// How a pass begins: from the request to a draw in flight, or to a picture that exists already.
extension DisplayPipeline {
    func displayIfNeeded() { if isDisplayNeeded, !isSuspended { beginPass() } }

    /// The end of the turn, for which a display was requested. A tree waits for the end of the flush, so that
    /// one pass serves all of its layers.
    func turnEnds(_ layer: any LayerOwner) {
        guard isDisplayNeeded, !isSuspended else { return }
        guard let tree = composing ?? (drawsSublayers ? self : nil) else { return beginPass(of: layer) }
        // A tree of another host is displayed in its own turn.
        guard tree.host.transactions.isFlushing else { return requestDisplay(in: tree.host) }
        if tree !== self {
            guard becomePart() else { return }
            guard composing === tree, !isSuspended else { return beginPass(of: layer) }
        }
        if tree.host.canGatherTrees { tree.host.display(tree, for: self) } else { tree.beginPass() }
    }

    /// Begins a pass now; if suspended, marks the layer.
    func beginPass() { layer.map { beginPass(of: $0) } }

    func beginPass(of layer: any LayerOwner) {
        guard !isSuspended else { return markNeedsDisplay() }
        // Limits callbacks that display again on each picture, which in the end is cached.
        guard endingDepth < Self.maximumEndingDepth else {
            // The mark may be set, for the turn's end that is now.
            markNeedsDisplay()
            return requestDisplay(in: host)
        }
        if let composing {
            becomePart()
            guard self.composing === composing else { return beginPass(of: layer) }
            return composing.beginPass(for: self)
        }
        clearNeedsDisplay()
        // Numbered in the order of the calls to the delegate: if that displays again before it returns, or in
        // `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let number = passCount
        // The pass must not retain the layers, only their tasks.
        var task = BaseTask()
        let composed = layer.beginTask(&task)
        let movedTier = nextTier.take()
        if let movedTier { task.tier = movedTier }
        let now = host.now
        let isSynchronous = !properties.displaysAsynchronously || task.work == nil && composed == nil
        let draw = Draw(
            number, of: self, consume task, isSynchronous: isSynchronous, at: now,
            quietTime: pace.requested(at: now))
        draw.isMoved = movedTier != nil
        if let composed {
            draw.parts = composed.parts
            for part in draw.parts { part.pipeline.composedPassCount += 1 }
        }
        var failure: (any Error)?
        if number > machine.newest { do { try prepare(draw, composed) } catch { failure = error } }
        // An inner pass was newer: the delegate, or the comparison of its key, displayed again.
        guard number > machine.newest else {
            _ = draw.drop()
            return perform(
                machine.handle(.began(draw, isSynchronous: isSynchronous, previous: .droppable(.waiting))))
        }
        // What the older draw captured is released after the state is consistent: that may call the layer.
        let older = machine.replaceable
        let drawings = (older?.work, older?.leader?.work)
        defer { extendLifetime(drawings) }
        // Before any callback, which may begin a newer pass.
        let previous = previous(for: draw)
        let actions = machine.handle(.began(draw, isSynchronous: isSynchronous, previous: previous))
        // An older picture that is held for the group will not appear.
        group?.setReady(self, false)
        // The delegate may have suspended the layer.
        let isCancelled = isSuspended
        if !isCancelled, failure == nil, !isSynchronous { start(draw) }
        perform(actions)
        guard machine.isInFlight(draw) else { return }
        if let failure { return fail(draw, failure) }
        if isCancelled {
            markNeedsDisplay()
            perform(machine.handle(.cancelled))
            if machine.isInFlight(draw) { perform(machine.handle(.stopped(draw, .waiting))) }
        } else if draw.isOver {
            finish(draw)
        } else if !isSynchronous {
            wait(for: draw)
        } else if machine.shown < number {
            draw.drawNow(on: host)
        } else {
            perform(machine.handle(.stopped(draw, .waiting)))
        }
    }

    /// A layer in the tree that this one draws is displayed. A synchronous tree is displayed immediately,
    /// others once a turn for all of their layers.
    private func beginPass(for part: DisplayPipeline) {
        guard properties.displaysAsynchronously || isSuspended else { return beginPass() }
        guard !host.canGatherTrees else { return host.display(self, for: part) }
        setNeedsDisplay()
        // In case it leaves the tree before the turn ends.
        part.setNeedsDisplay()
    }

    /// The topmost layer above this one that draws it as a part of its own picture.
    var composing: DisplayPipeline? { isSublayer ? layer?.composingPipeline : nil }

    /// The one that a display of the layer is left to; none while either is suspended.
    var servingTree: DisplayPipeline? { isSuspended ? nil : composing.flatMap { $0.isSuspended ? nil : $0 } }

    /// The layer is drawn as a part of another layer's picture, which serves its own requests and waiting
    /// callers. Returns whether a display was requested, and no callback has withdrawn that.
    @discardableResult
    func becomePart() -> Bool {
        let (wasRequested, cancellations) = (isDisplayNeeded, cancellations)
        clearNeedsDisplay()
        observers?.retryOnComposer()
        stopPasses()
        leaveGroup(.superseded(.waiting), showingHeld: true)
        defer { clearNeedsDisplay() }
        return isDisplayNeeded || wasRequested && cancellations == self.cancellations
    }

    /// The state of the pass that a new one replaces. A draw that waits leaves its place to the new one.
    private func previous(for draw: Draw) -> DisplayStateMachine<Draw>.Previous {
        guard let older = machine.replaceable else { return .droppable(.waiting) }
        return draw.takeOver(older) ? .droppable(.waiting) : older.previousState(towards: draw, pace)
    }

    /// Lets a draw begin that has waited for an older one of the layer, unless its picture exists meanwhile.
    func startHeldBack(_ draw: Draw) {
        guard draw.isToBeDrawn, draw.waitingPlace == nil, !draw.isSynchronous else { return }
        let isFound = draw.key.map { find(draw, $0) } ?? false
        // The comparison of keys may have ended the pass.
        guard machine.isInFlight(draw) else {
            if let picture = draw.picture.take() { host.discard(picture) }
            return _ = draw.drop()
        }
        guard isFound else { return start(draw) }
        let work = draw.work.take()
        if !draw.isFollowing { finish(draw) }
        extendLifetime(work)
    }

    /// Decides where the pass's picture comes from: it exists, or nothing is shown; or it is that of another
    /// draw in flight; or it is drawn, as a draft first if the layer has drafts.
    private func prepare(_ draw: Draw, _ composed: (any ComposedLayers)?) throws {
        if try prepare(draw, composed, scale: properties.contentsScale, isDraft: false) { return }
        if let draft = draftScale(draw, composed), try prepare(draw, composed, scale: draft, isDraft: true) {
            return
        }
        try plan(draw, composed)
    }

    /// The scale of a draft, if the layer has drafts and has shown nothing, and more is requested than the
    /// workers can draw.
    private func draftScale(_ draw: Draw, _ composed: (any ComposedLayers)?) -> Double? {
        guard properties.options.draft > 0, properties.options.draft < 1, !hasShown, group == nil,
            composed == nil, !draw.isSynchronous,
            // Not if a draw is running, which will be shown before.
            machine.interimCount == 0, machine.replaceable?.waitingPlace?.isWaiting != false,
            host.isBehind(on: draw.task.tier)
        else { return nil }
        return properties.contentsScale * properties.options.draft
    }

    /// Finds a picture at a scale, or nothing to show, without drawing. Returns false if it must be drawn.
    private func prepare(
        _ draw: Draw, _ composed: (any ComposedLayers)?, scale: Double, isDraft: Bool
    ) throws -> Bool {
        let size = properties.bounds.size
        guard draw.task.work != nil || composed != nil,
            let description = try ContextDescription(
                size: size, scale: scale, isOpaque: properties.isOpaque)
        else {
            // No draft has less than a pixel.
            if !isDraft { draw.source = .empty }
            return !isDraft
        }
        draw.geometry = ContentsGeometry(size: size, scale: scale)
        draw.isDraft = isDraft
        draw.description = description
        // A picture that lacks suspended layers is not the one that the key names.
        guard let content = draw.task.key, content.equalsItself, composed?.isComplete ?? true else {
            return false
        }
        let mayBeTiled =
            properties.options.oversizePolicy == .tiles
            && (composed != nil || isOversize(byteCount(of: description)))
        let key = PictureKey(
            PictureKey.Parts(
                content: content, size: size, description: description,
                background: description.isOpaque ? properties.options.backgroundColor : nil,
                isComposed: composed != nil, tileByteLimit: mayBeTiled ? byteLimit : nil))
        draw.key = key
        return find(draw, key)
    }

    /// Finds a picture by its key: on show, in the cache, or in flight.
    private func find(_ draw: Draw, _ key: PictureKey) -> Bool {
        if key == display.key {
            draw.source = .unchanged
            // If the pass waits for its group, or an older one ends before it, something else may be shown
            // meanwhile.
            if group != nil || !machine.isIdle { draw.picture = display.picture?.hold() }
            return true
        }
        let found = cache?.find(key)
        if let picture = found?.picture {
            draw.source = .cached
            draw.picture = picture
            return true
        }
        guard !draw.isSynchronous else { return false }
        let older = machine.replaceable
        let current = older.flatMap { $0.key == key ? $0.leader ?? $0 : nil }
        // A main thread that waits for a draw receives those of its own host.
        let leader = found?.draw.flatMap { $0.pipeline.host === host ? $0 : nil } ?? current
        guard leader?.accept(draw, placeOfItsOwn: older?.place) == true else { return false }
        draw.source = .shared
        return true
    }

    /// The most bytes that a context may take.
    private var byteLimit: Int { min(properties.options.maximumContextBytes, host.budget.byteLimit) }

    private func isOversize(_ byteCount: Int) -> Bool { !(0...max(0, byteLimit)).contains(byteCount) }

    /// Plans to draw the layer alone, or with all below it; in one context, or in tiles, one after the other.
    private func plan(_ draw: Draw, _ composed: (any ComposedLayers)?) throws {
        // The draw releases it as soon as it is not needed any more.
        var work = draw.task.work.take()
        let (options, byteCount) = (properties.options, byteCount(of: draw.description))
        (draw.background, draw.fillsBackground) = (options.backgroundColor, options.fillsBackground)
        draw.byteCount = byteCount
        var tiles: TilePlan?
        if isOversize(byteCount) {
            guard options.oversizePolicy == .tiles else {
                throw DisplayError.tooManyBytes(needed: byteCount, limit: byteLimit)
            }
            tiles = try cut(draw, byteLimit: byteLimit)
        }
        if let composed { work = try compose(composed, draw, tiles ?? TilePlan(whole: draw.description)) }
        draw.pictureByteCount = draw.tiles.map { self.byteCount(of: $0) } ?? byteCount
        if !draw.isSynchronous { draw.sentinel = Sentinel() }
        draw.work = work
    }

    /// Cuts a picture into tiles.
    private func cut(_ draw: Draw, byteLimit: Int) throws -> TilePlan {
        let tiles = try TilePlan(of: draw.description, byteLimit: byteLimit) { byteCount(of: $0) }
        draw.tiles = tiles.tiles
        draw.byteCount = byteCount(of: tiles.largestTile)
        return tiles
    }

    /// Plans the drawing of a tree: in smaller tiles if all that is alive together exceeds the budget, or a
    /// part of a layer in a tile exceeds what a context may take.
    private func compose(
        _ composed: any ComposedLayers, _ draw: Draw, _ tiles: TilePlan
    ) throws -> DrawWork {
        var tiles = tiles
        let (limit, mayCut) = (host.budget.byteLimit, properties.options.oversizePolicy == .tiles)
        var tree = try composed.plan(draw.description)
        var (failure, contextByteCount) = (DisplayError?.none, draw.byteCount)
        // What layers take beside the tiles is constant, what groups and parts take shrinks with the tiles:
        // each attempt leaves as much room as the last one has used, or half of it. If a few are not enough,
        // none is.
        for _ in 0...8 {
            var room = contextByteCount / 2
            do throws(DisplayError) {
                draw.byteCount = try tree.divide(
                    into: tiles, byteLimit: byteLimit, budget: limit, mayCut: mayCut
                ) { byteCount(of: $0) }
                guard draw.byteCount > limit else { return composed.work(tree) }
                failure = failure ?? .tooManyBytes(needed: draw.byteCount, limit: limit)
                let others = draw.byteCount - contextByteCount
                if others < limit { room = min(limit - others, contextByteCount - 1) }
            } catch {
                failure = failure ?? error
            }
            guard mayCut, let smaller = try? cut(draw, byteLimit: room) else { break }
            (tiles, contextByteCount) = (smaller, draw.byteCount)
        }
        throw failure ?? .tooManyBytes(needed: draw.byteCount, limit: limit)
    }

    /// Makes the main thread wait for a draw, if the layer has a deadline that the draw may meet; then shows
    /// the placeholder if nothing else is shown.
    private func wait(for draw: Draw) {
        let deadline = properties.options.displayDeadline
        if deadline > .zero, pace.drawTime <= deadline {
            draw.raise(to: .userInteractive)
            host.wait(for: draw, until: host.now + min(deadline, .seconds(3600))) {
                self.showPlaceholder(of: draw)
            }
        } else if draw.task.placeholder != nil {
            showPlaceholder(of: draw)
        }
    }

    private func showPlaceholder(of draw: Draw) {
        guard machine.current === draw, !draw.isHeld,
            display.isEmpty || display.facts.isPlaceholder || properties.options.showsPlaceholderOverContents,
            let placeholder = draw.task.placeholder.take()
        else { return }
        let geometry = ContentsGeometry(size: properties.bounds.size, scale: properties.contentsScale)
        show(
            placeholder, key: nil,
            DisplayedPicture.Facts(geometry: geometry, shownAt: host.now, isPlaceholder: true))
    }
}
