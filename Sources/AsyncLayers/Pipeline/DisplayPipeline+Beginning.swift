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
        let (task, composed) = layer.beginTask()
        let now = host.loop.now
        let isSynchronous = !properties.displaysAsynchronously || task.work == nil && composed == nil
        let pass = DisplayPass(
            number, id: host.metrics.passBegan(), of: self, task, isSynchronous: isSynchronous, at: now)
        if let composed { pass.parts = composed.parts }
        passes.append(pass)
        let actions = machine.handle(
            .began(number, isSynchronous: isSynchronous, isOverdue: isOverdue))
        guard machine.isInFlight(number) else { return perform(actions) }
        freshness.began(at: now)

        // The generation is taken only now, so that what `willDisplay` invalidates does not count against
        // this pass; before anybody is called back, who may begin a newer pass with a newer ticket; and in
        // one step with raising it, so that nobody's invalidation is lost between the two.
        let ticket = sentinel.increaseAndTakeTicket()
        knownGeneration = ticket.value
        do {
            let source = try source(of: pass, composed, ticket)
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
            begin(pass, source)
        } catch {
            perform(actions)
            fail(pass, error)
        }
    }

    /// Where a pass's picture comes from.
    private enum Source {
        /// It is there, or nothing is to be shown.
        case finished(DisplaySource, Parcel<Picture>?)
        /// Another layer's drawing, which the pass has joined.
        case joined(Raster)
        /// A drawing of its own.
        case drawing(Drawing, DrawWork, DrawLatch, byteCount: Int)
    }

    /// Decides where the pass's picture comes from, without calling anybody.
    private func source(
        of pass: DisplayPass, _ composed: (any ComposedLayers)?, _ ticket: Ticket
    ) throws -> Source {
        guard pass.task.work != nil || composed != nil else { return .finished(.empty, nil) }
        let plan = try ContextPlan(
            size: properties.bounds.size, scale: properties.contentsScale, isOpaque: properties.isOpaque)
        guard case .context(let description) = plan else { return .finished(.empty, nil) }
        if let content = pass.task.key {
            let key = RasterKey(
                content, size: properties.bounds.size, description: description,
                background: properties.backgroundColor)
            pass.key = key
            // Should the pass wait for its group, then something else may be shown meanwhile.
            if key == display.key { return .finished(.unchanged, round == nil ? nil : display.copy()) }
            if let picture = cache?.picture(for: key) { return .finished(.cached, picture) }
            if !pass.isSynchronous, let raster = cache?.drawings[key], raster.join(pass) {
                pass.raster = raster
                pass.source = .shared
                return .joined(raster)
            }
        }

        let (contexts, work, byteCount) = try work(of: pass, composed, description)
        let latch = DrawLatch(
            ticket: ticket, overdueTime: freshness.overdueTime(limit: properties.maximumStaleness),
            loop: host.loop)
        let drawing = Drawing(
            contexts: contexts, background: properties.backgroundColor,
            scope: DrawScope(
                size: properties.bounds.size, scale: description.scale, isOpaque: description.isOpaque,
                latch: pass.isSynchronous ? nil : latch))
        return .drawing(drawing, work, latch, byteCount: byteCount)
    }

    private func begin(_ pass: DisplayPass, _ source: Source) {
        switch source {
        case .finished(let source, let parcel):
            pass.source = source
            pass.parcel = parcel
            finish(pass)
        case .joined(let raster):
            wait(for: raster, of: pass)
        case .drawing(let drawing, let work, let latch, let byteCount):
            // Held by the raster alone from now on, which lets it go when it is not needed any more.
            pass.task.work = nil
            if pass.isSynchronous { return drawNow(drawing, work, byteCount, pass) }
            let raster = Raster(drawing, work, latch: latch, byteCount: byteCount, for: pass)
            pass.raster = raster
            raster.begin()
            wait(for: raster, of: pass)
        }
    }

    /// What is drawn: the layer alone, or with all below it; in one context, or in tiles, one after the other;
    /// and the bytes that this takes at a time.
    private func work(
        of pass: DisplayPass, _ composed: (any ComposedLayers)?, _ description: ContextDescription
    ) throws -> (Drawing.Contexts, DrawWork, byteCount: Int) {
        let limit = min(properties.maximumContextBytes, host.budget.byteLimit)
        let needed = renderer.byteCount(of: description)
        var contexts = Drawing.Contexts.whole(description)
        var byteCount = needed
        if needed < 0 || needed > limit {
            guard properties.oversizePolicy == .tiles else {
                throw DisplayError.tooManyBytes(needed: needed, limit: limit)
            }
            let plan = try TilePlan(of: description, byteLimit: limit) { renderer.byteCount(of: $0) }
            contexts = .tiles(plan.tiles)
            byteCount = plan.tiles.map { renderer.byteCount(of: $0) }.max() ?? 0
        }
        if let work = pass.task.work { return (contexts, work, byteCount) }
        guard let plan = try composed?.plan(contexts, byteLimit: limit) else { throw CancellationError() }
        guard plan.peakByteCount <= host.budget.byteLimit else {
            throw DisplayError.tooManyBytes(needed: plan.peakByteCount, limit: host.budget.byteLimit)
        }
        return (contexts, plan.work, plan.peakByteCount)
    }

    private func drawNow(_ drawing: Drawing, _ work: DrawWork, _ byteCount: Int, _ pass: DisplayPass) {
        host.budget.charge(bytes: byteCount)
        let signposts = host.metrics.signposts
        let start = host.loop.now
        signposts?.begin(.drawing, of: pass.id)
        let result = work.run(drawing, with: renderer)
        signposts?.end(.drawing, of: pass.id)
        host.budget.release(bytes: byteCount)
        if case .finished(let parcel) = result, let key = pass.key {
            cache?.insert(parcel.copy(), for: key, bytes: renderer.byteCount(of: drawing.contexts))
        }
        if result.isFinished { signposts?.begin(.committing, of: pass.id) }
        receive(result, DrawTimes(start: start, end: host.loop.now), ownsDrawing: true, of: pass)
        if result.isFinished { signposts?.end(.committing, of: pass.id) }
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
