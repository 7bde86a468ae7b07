import QueuePools
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
        if let composing = layer.composingLayer { return composing.pipeline.beginPass() }
        // A number by the order in which tasks are asked for: should the delegate display again before it
        // returns, or in `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let pass = passCount
        let task = layer.delegate?.displayTask(for: layer)
        task?.willDisplay?()
        let below = layer.composer.map { _ in ComposedLayers(below: layer) }

        let now = host.loop.now
        let isEmpty = task?.draw == nil && below == nil
        let isSynchronous = !layer.displaysAsynchronously || isEmpty
        passes.append(
            PassRecord(
                pass: pass, id: host.metrics.passBegan(), task: task, below: below,
                isSynchronous: isSynchronous, beganAt: now))
        let actions = machine.handle(
            .began(pass, isSynchronous: isSynchronous, isOverdue: isOverdue))
        guard machine.isInFlight(pass) else { return perform(actions) }
        freshness.began(at: now)

        // The generation is taken only now, so that what `willDisplay` invalidates does not count against
        // this pass; before anybody is called back, who may begin a newer pass with a newer ticket; and in
        // one step with raising it, so that nobody's invalidation is lost between the two.
        let ticket = sentinel.increaseAndTakeTicket()
        knownGeneration = ticket.value
        do {
            let source = try source(of: pass, layer, ticket)
            // Now that this pass may have joined a drawing, an older one may leave it.
            perform(actions)
            guard machine.isInFlight(pass) else { return }
            // The delegate may have suspended the layer.
            if isSuspended {
                leaveMark()
                perform(machine.handle(.cancelled))
            }
            guard machine.current == pass else { return perform(machine.handle(.stopped(pass, .waiting))) }
            begin(pass, layer, source)
        } catch {
            perform(actions)
            fail(pass, error)
        }
    }

    /// Where a pass's picture comes from.
    private enum Source {
        /// It is there, or nothing is to be shown.
        case finished(DisplaySource, Parcel<Picture<R.Contents>>?)
        /// Another layer's drawing, which the pass has joined.
        case joined(Raster<R>)
        /// A drawing of its own.
        case drawing(Drawing<R>, Drawing<R>.Work, DrawLatch, byteCount: Int)
    }

    /// Decides where the pass's picture comes from, without calling anybody.
    private func source(of pass: Pass, _ layer: AsyncLayer<R>, _ ticket: Ticket) throws -> Source {
        guard let record = record(of: pass), !record.isEmpty else { return .finished(.empty, nil) }
        let plan = try ContextPlan(
            size: layer.bounds.size, scale: layer.contentsScale, isOpaque: layer.isOpaque)
        guard case .context(let description) = plan else { return .finished(.empty, nil) }
        let background = layer.backgroundColor
        if let content = record.task?.key {
            let key = RasterKey(
                content, size: layer.bounds.size, description: description, background: background)
            updateRecord(of: pass) { $0.key = key }
            // Should the pass wait for its group, then something else may be shown meanwhile.
            if key == display.key { return .finished(.unchanged, round == nil ? nil : display.copy()) }
            if let picture = cache?.picture(for: key) { return .finished(.cached, picture) }
            if !record.isSynchronous, let raster = cache?.drawings[key],
                raster.join(self, pass, tier: record.tier)
            {
                updateRecord(of: pass) { $0.join(raster) }
                return .joined(raster)
            }
        }

        let latch = DrawLatch(
            ticket: ticket, overdueTime: freshness.overdueTime(limit: layer.maximumStaleness),
            loop: host.loop)
        let (contexts, work, byteCount) = try work(of: record, layer, description)
        let drawing = Drawing(
            renderer: renderer, contexts: contexts, background: background,
            scope: DrawScope(
                size: layer.bounds.size, scale: description.scale, isOpaque: description.isOpaque,
                latch: record.isSynchronous ? nil : latch))
        return .drawing(drawing, work, latch, byteCount: byteCount)
    }

    private func begin(_ pass: Pass, _ layer: AsyncLayer<R>, _ source: Source) {
        switch source {
        case .finished(let source, let parcel):
            finish(pass, source, parcel)
        case .joined(let raster):
            wait(for: raster, of: pass, layer)
        case .drawing(let drawing, let work, let latch, let byteCount):
            guard let record = record(of: pass) else { return }
            if record.isSynchronous { return drawNow(drawing, work, byteCount, pass) }
            let raster = Raster(
                drawing, work, latch: latch, byteCount: byteCount, tier: record.tier, key: record.key,
                cache: cache, host: host, for: self, pass)
            updateRecord(of: pass) { $0.raster = raster }
            raster.begin(id: record.id)
            wait(for: raster, of: pass, layer)
        }
    }

    /// What is drawn: the layer alone, or with all below it; in one context, or in tiles, one after the other;
    /// and the bytes that this takes at a time.
    private func work(
        of record: PassRecord<R>, _ layer: AsyncLayer<R>, _ description: ContextDescription
    ) throws -> ([ContextDescription], Drawing<R>.Work, byteCount: Int) {
        let limit = min(layer.maximumContextBytes, host.budget.byteLimit)
        let contexts = try contexts(for: description, layer.oversizePolicy, limit)
        if let below = record.below, let composer = layer.composer {
            let tree = below.tree(root: layer, record.task)
            let plan = try composer.plan(tree, renderer, contexts, limit)
            guard plan.peakByteCount <= host.budget.byteLimit else {
                throw DisplayError.tooManyBytes(needed: plan.peakByteCount, limit: host.budget.byteLimit)
            }
            return (contexts, plan.work, plan.peakByteCount)
        }
        guard let draw = record.task?.draw else { throw CancellationError() }
        return (contexts, .layer(draw), contexts.map { renderer.byteCount(of: $0) }.max() ?? 0)
    }

    private func contexts(
        for description: ContextDescription, _ policy: OversizePolicy, _ limit: Int
    ) throws -> [ContextDescription] {
        let needed = renderer.byteCount(of: description)
        if needed >= 0, needed <= limit { return [description] }
        guard policy == .tiles else { throw DisplayError.tooManyBytes(needed: needed, limit: limit) }
        return try TilePlan(of: description, byteLimit: limit) { renderer.byteCount(of: $0) }.tiles
    }

    private func drawNow(
        _ drawing: Drawing<R>, _ work: Drawing<R>.Work, _ byteCount: Int, _ pass: Pass
    ) {
        host.budget.charge(bytes: byteCount)
        let (signposts, id) = (host.metrics.signposts, record(of: pass)?.id ?? 0)
        let start = host.loop.now
        signposts?.begin(.drawing, of: id)
        let result = drawing.run(work)
        signposts?.end(.drawing, of: id)
        host.budget.release(bytes: byteCount)
        if case .finished(let parcel) = result, let key = record(of: pass)?.key {
            cache?.insert(parcel.copy(), for: key, bytes: drawing.pictureByteCount)
        }
        if result.isFinished { signposts?.begin(.committing, of: id) }
        receive(result, DrawTimes(start: start, end: host.loop.now), ownsDrawing: true, of: pass)
        if result.isFinished { signposts?.end(.committing, of: id) }
    }

    /// Has the main thread wait for a drawing, if the layer wants that and it may be there in time; then shows
    /// the placeholder if it is not there and nothing else is.
    private func wait(for raster: Raster<R>, of pass: Pass, _ layer: AsyncLayer<R>) {
        let deadline = layer.displayDeadline
        guard deadline > .zero, freshness.turnaround <= deadline else { return showPlaceholder(of: pass) }
        raster.wait(until: host.loop.now + min(deadline, .seconds(3600))) { self.showPlaceholder(of: pass) }
    }

    private func showPlaceholder(of pass: Pass) {
        guard let layer, let record = record(of: pass), let placeholder = record.task?.placeholder,
            machine.current == pass, !record.isHeld, display.isEmpty || layer.showsPlaceholderOverContents
        else { return }
        show(Parcel(.whole(placeholder)), key: nil, isPlaceholder: true)
    }
}
