import QueuePools
import Sentinels

/// How a pass begins: from the request to a drawing in flight, or to a picture that is there already.
extension DisplayPipeline {
    func displayIfNeeded() { layer.map { displayIfNeeded($0) } }

    func displayIfNeeded(_ layer: any LayerOwner) {
        guard isDisplayNeeded, !isSuspended else { return }
        if let composing {
            becomePart()
            composing.sentinel.increase()
            composing.leaveMark()
            return composing.displayIfNeeded()
        }
        guard machine.isCatchingUp else { return beginPass(of: layer) }
        isDeferred = true
        catchUpWithInvalidations()
    }

    /// Begins a pass now; suspended, remembers that one is wanted.
    func beginPass() { layer.map { beginPass(of: $0) } }

    func beginPass(of layer: any LayerOwner) {
        guard !isSuspended else { return leaveMark() }
        if let composing {
            becomePart()
            return composing.beginPass()
        }
        takeMark()
        isDeferred = false
        // A number by the order in which tasks are asked for: should the delegate display again before it
        // returns, or in `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let number = passCount
        // The pass must not hold the layers, only what they have asked for.
        var task = BaseTask()
        let composed = layer.beginTask(&task)
        let now = host.now
        let isSynchronous = !properties.displaysAsynchronously || task.work == nil && composed == nil
        let pass = DisplayPass(
            number, id: host.metrics.passBegan(), of: self, consume task, isSynchronous: isSynchronous,
            at: now)
        if let composed {
            pass.parts = composed.parts
            for part in pass.parts { part.pipeline.composedPassCount += 1 }
        }
        passes.append(pass)
        let actions = machine.handle(
            .began(number, isSynchronous: isSynchronous, isOverdue: isOverdue))
        guard machine.isInFlight(number) else { return perform(actions) }
        // Should the layer hold an older picture for its group, that is not the one to appear any more.
        round?.setReady(self, false)
        freshness.began(at: now)

        // The generation is taken only now, so that what `willDisplay` invalidates does not count against
        // this pass; before anybody is called back, who may begin a newer pass with a newer generation; and in
        // one step with raising it, so that nobody's invalidation is lost between the two.
        let generation = sentinel.increase()
        knownGeneration = generation
        isInvalidated = false
        pass.overdueTime = freshness.overdueTime(limit: properties.maximumStaleness)
        do {
            let raster = try prepare(pass, composed, generation: generation)
            // Now that this pass may have joined a drawing, an older one may leave it.
            perform(actions)
            guard machine.isInFlight(number) else { return }
            // The delegate may have suspended the layer.
            if isSuspended {
                leaveMark()
                perform(machine.handle(.cancelled))
            }
            let isWanted = machine.current == number || isSynchronous && machine.shown < number
            if isWanted, !isSuspended { return begin(pass, raster) }
            // A drawing that the pass has joined tells it of its end.
            if pass.raster == nil { perform(machine.handle(.stopped(number, .waiting))) }
        } catch {
            perform(actions)
            fail(pass, error)
        }
    }

    /// Who draws the layer as a part of its own picture, if anybody does.
    var composing: DisplayPipeline? { isSublayer ? layer?.composingPipeline : nil }

    /// The layer is drawn as a part of another one's picture: what it was asked to do itself is done so, and who
    /// waits for it waits for that one.
    func becomePart() {
        takeMark()
        isDeferred = false
        isInvalidated = false
        failure = nil
        observers?.lookAgain()
        if !machine.isIdle { cancel() }
        giveUpSeat(.superseded(.waiting))
    }

    /// Decides where the pass's picture comes from, without calling anybody.
    ///
    /// - Returns: a drawing of the pass's own, which has not begun; or another layer's, which the pass has
    ///   joined; or nil if the picture is there, or nothing is to be shown.
    private func prepare(
        _ pass: DisplayPass, _ composed: (any ComposedLayers)?, generation: UInt64
    ) throws -> Raster? {
        guard pass.task.work != nil || composed != nil,
            case .context(let description) = try ContextPlan(
                size: properties.bounds.size, scale: properties.contentsScale, isOpaque: properties.isOpaque)
        else {
            pass.source = .empty
            return nil
        }
        let byteCount = renderer.byteCount(of: description)
        let isOversize = byteCount < 0 || byteCount > byteLimit
        // Without layers that are suspended a picture is not the one that the key names.
        if let content = pass.task.key, composed?.isComplete ?? true {
            let key = RasterKey(
                content, size: properties.bounds.size, description: description,
                background: properties.backgroundColor, isComposed: composed != nil,
                mayBeTiled: properties.oversizePolicy == .tiles && (isOversize || composed != nil))
            pass.key = key
            if key == display.key {
                pass.source = .unchanged
                // Should the pass wait for its group, or an older one end before it, then something else may be
                // shown meanwhile.
                if round != nil || passes.count > 1 { pass.parcel = display.copy() }
                return nil
            }
            if let picture = cache?.picture(for: key) {
                pass.source = .cached
                pass.parcel = picture
                return nil
            }
            if !pass.isSynchronous, let raster = cache?.drawings[key], raster.join(pass) {
                pass.source = .shared
                pass.raster = raster
                return raster
            }
        }
        return try raster(
            for: pass, composed, description, byteCount, isOversize: isOversize, generation: generation)
    }

    /// The most bytes that a context may take.
    private var byteLimit: Int { min(properties.maximumContextBytes, host.budget.byteLimit) }

    /// A drawing of the layer alone, or with all below it; in one context, or in tiles, one after the other.
    private func raster(
        for pass: DisplayPass, _ composed: (any ComposedLayers)?, _ description: ContextDescription,
        _ byteCount: Int, isOversize: Bool, generation: UInt64
    ) throws -> Raster {
        var drawing = Drawing(
            size: properties.bounds.size, description: description, background: properties.backgroundColor)
        var byteCount = byteCount
        if isOversize {
            guard properties.oversizePolicy == .tiles else {
                throw DisplayError.tooManyBytes(needed: byteCount, limit: byteLimit)
            }
            byteCount = try cut(&drawing, byteLimit: byteLimit)
        }
        // Held by the raster alone from now on, which lets it go when it is not needed any more.
        var work = pass.task.work.take()
        if let composed { (work, byteCount) = try plan(composed, &drawing, contextByteCount: byteCount) }
        guard let work else { throw CancellationError() }
        return Raster(drawing, work, byteCount: byteCount, for: pass, generation: generation)
    }

    /// Cuts a drawing into tiles.
    ///
    /// - Returns: the bytes of the largest.
    private func cut(_ drawing: inout Drawing, byteLimit: Int) throws -> Int {
        let tiles = try TilePlan(of: drawing.description, byteLimit: byteLimit) { renderer.byteCount(of: $0) }
            .tiles
        drawing.tiles = tiles
        return tiles.map { renderer.byteCount(of: $0) }.max() ?? 0
    }

    /// Plans the drawing of a tree, in smaller tiles if all that is alive at once is more than the budget has.
    ///
    /// - Parameter contextByteCount: the bytes of the largest of the drawing's contexts.
    private func plan(
        _ composed: any ComposedLayers, _ drawing: inout Drawing, contextByteCount: Int
    ) throws -> (work: DrawWork, byteCount: Int) {
        let limit = host.budget.byteLimit
        let whole = try composed.plan(drawing.contexts, byteLimit: byteLimit)
        var (plan, contextByteCount) = (whole, contextByteCount)
        // What layers take beside the tiles stays, what groups of them take shrinks with the tiles: each try
        // leaves so much room as the last one has used, or half of it. A few are enough, or it is hopeless.
        for _ in 0..<8 where plan.peakByteCount > limit && properties.oversizePolicy == .tiles {
            let others = plan.peakByteCount - contextByteCount
            let room = others < limit ? min(limit - others, contextByteCount - 1) : contextByteCount / 2
            guard let largest = try? cut(&drawing, byteLimit: room) else { break }
            contextByteCount = largest
            plan = try composed.plan(drawing.contexts, byteLimit: byteLimit)
        }
        guard plan.peakByteCount <= limit else {
            throw DisplayError.tooManyBytes(needed: whole.peakByteCount, limit: limit)
        }
        return (plan.work, plan.peakByteCount)
    }

    private func begin(_ pass: DisplayPass, _ raster: Raster?) {
        // The picture is there, or nothing is to be shown.
        guard let raster else { return finish(pass) }
        if pass.source == .drawn {
            if pass.isSynchronous { return raster.drawNow() }
            pass.raster = raster
            raster.begin()
        }
        // Whoever began to wait before the pass did could not raise it then.
        if isAwaited { raster.raise(to: .userInitiated) }
        wait(for: raster, of: pass)
    }

    /// Has the main thread wait for a drawing, if the layer wants that and it may be there in time; then shows
    /// the placeholder if it is not there and nothing else is.
    private func wait(for raster: Raster, of pass: DisplayPass) {
        let deadline = properties.displayDeadline
        if deadline > .zero, freshness.turnaround <= deadline {
            raster.wait(until: host.now + min(deadline, .seconds(3600))) {
                self.showPlaceholder(of: pass)
            }
        } else if pass.task.placeholder != nil {
            showPlaceholder(of: pass)
        }
    }

    private func showPlaceholder(of pass: DisplayPass) {
        guard machine.current == pass.number, !pass.isHeld,
            display.isEmpty || properties.showsPlaceholderOverContents,
            let placeholder = pass.task.placeholder.take()
        else { return }
        show(Parcel(placeholder), key: nil, isPlaceholder: true, at: host.now)
    }
}
