import Sentinels

/// How a pass begins: from the request to a drawing in flight, or to a picture that is there already.
extension DisplayPipeline {
    func displayIfNeeded() {
        guard isDisplayNeeded, !isSuspended else { return }
        guard machine.isCatchingUp else { return beginPass() }
        isDeferred = true
        catchUpWithInvalidations()
    }

    /// Begins a pass now; suspended, remembers that one is wanted.
    func beginPass() {
        guard let layer else { return }
        guard !isSuspended else { return leaveMark() }
        takeMark()
        isDeferred = false
        if isSublayer, let composing = layer.composingPipeline { return composing.beginPass() }
        // A number by the order in which tasks are asked for: should the delegate display again before it
        // returns, or in `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let number = passCount
        // The pass must not hold the layers, only what they have asked for.
        var task = BaseTask()
        let composed = layer.beginTask(&task)
        let now = host.loop.now
        let isSynchronous = !properties.displaysAsynchronously || task.work == nil && composed == nil
        let pass = DisplayPass(
            number, id: host.metrics.passBegan(), of: self, consume task, isSynchronous: isSynchronous,
            at: now)
        if let composed { pass.parts = composed.parts }
        passes.append(pass)
        let actions = machine.handle(
            .began(number, isSynchronous: isSynchronous, isOverdue: isOverdue))
        guard machine.isInFlight(number) else { return perform(actions) }
        freshness.began(at: now)

        // The generation is taken only now, so that what `willDisplay` invalidates does not count against
        // this pass; before anybody is called back, who may begin a newer pass with a newer generation; and in
        // one step with raising it, so that nobody's invalidation is lost between the two.
        let generation = sentinel.increase()
        knownGeneration = generation
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
            guard machine.current == number, !isSuspended else {
                return perform(machine.handle(.stopped(number, .waiting)))
            }
            begin(pass, raster)
        } catch {
            perform(actions)
            fail(pass, error)
        }
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
        if let content = pass.task.key {
            let key = RasterKey(
                content, size: properties.bounds.size, description: description,
                background: properties.backgroundColor)
            pass.key = key
            if key == display.key {
                pass.source = .unchanged
                // Should the pass wait for its group, then something else may be shown meanwhile.
                if round != nil { pass.parcel = display.copy() }
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
        return try raster(for: pass, composed, description, generation: generation)
    }

    /// A drawing of the layer alone, or with all below it; in one context, or in tiles, one after the other.
    private func raster(
        for pass: DisplayPass, _ composed: (any ComposedLayers)?, _ description: ContextDescription,
        generation: UInt64
    ) throws -> Raster {
        var drawing = Drawing(
            size: properties.bounds.size, description: description, background: properties.backgroundColor)
        let limit = min(properties.maximumContextBytes, host.budget.byteLimit)
        var byteCount = renderer.byteCount(of: description)
        if byteCount < 0 || byteCount > limit {
            guard properties.oversizePolicy == .tiles else {
                throw DisplayError.tooManyBytes(needed: byteCount, limit: limit)
            }
            let tiles = try TilePlan(of: description, byteLimit: limit) { renderer.byteCount(of: $0) }.tiles
            drawing.tiles = tiles
            byteCount = tiles.map { renderer.byteCount(of: $0) }.max() ?? 0
        }
        // Held by the raster alone from now on, which lets it go when it is not needed any more.
        var work = pass.task.work.take()
        if work == nil, let plan = try composed?.plan(drawing.contexts, byteLimit: limit) {
            guard plan.peakByteCount <= host.budget.byteLimit else {
                throw DisplayError.tooManyBytes(needed: plan.peakByteCount, limit: host.budget.byteLimit)
            }
            (work, byteCount) = plan
        }
        guard let work else { throw CancellationError() }
        return Raster(
            drawing, work, byteCount: byteCount, for: pass, generation: generation,
            overdueTime: freshness.overdueTime(limit: properties.maximumStaleness))
    }

    private func begin(_ pass: DisplayPass, _ raster: Raster?) {
        // The picture is there, or nothing is to be shown.
        guard let raster else { return finish(pass) }
        if pass.source == .drawn {
            if pass.isSynchronous { return raster.drawNow() }
            pass.raster = raster
            raster.begin()
        }
        wait(for: raster, of: pass)
    }

    /// Has the main thread wait for a drawing, if the layer wants that and it may be there in time; then shows
    /// the placeholder if it is not there and nothing else is.
    private func wait(for raster: Raster, of pass: DisplayPass) {
        let deadline = properties.displayDeadline
        if deadline > .zero, freshness.turnaround <= deadline {
            raster.wait(until: host.loop.now + min(deadline, .seconds(3600))) {
                self.showPlaceholder(of: pass)
            }
        } else if pass.task.placeholder != nil {
            showPlaceholder(of: pass)
        }
    }

    private func showPlaceholder(of pass: DisplayPass) {
        guard let placeholder = pass.task.placeholder, machine.current == pass.number, !pass.isHeld,
            display.isEmpty || properties.showsPlaceholderOverContents
        else { return }
        show(Parcel(placeholder), key: nil, isPlaceholder: true, at: host.loop.now)
    }
}
