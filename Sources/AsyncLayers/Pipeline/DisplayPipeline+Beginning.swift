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
        // A number by the order in which tasks are asked for: should the delegate display again before it
        // returns, or in `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let pass = passCount
        let task = layer.delegate?.displayTask(for: layer)
        task?.willDisplay?()

        let now = host.loop.now
        let isSynchronous = !layer.displaysAsynchronously || task?.draw == nil
        passes.append(
            PassRecord(
                pass: pass, id: host.metrics.passBegan(), task: task, isSynchronous: isSynchronous,
                beganAt: now))
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
            let start = try prepare(pass, task, layer, isSynchronous: isSynchronous, ticket)
            // Now that this pass may have joined a drawing, an older one may leave it.
            perform(actions)
            guard machine.isInFlight(pass) else { return }
            guard machine.current == pass else { return perform(machine.handle(.stopped(pass, .waiting))) }
            carryOut(start, of: pass, task, layer, isSynchronous: isSynchronous)
        } catch {
            perform(actions)
            fail(pass, error)
        }
    }

    /// Where a pass's picture comes from.
    private enum Start {
        /// It is there, or nothing is to be shown.
        case finish(DisplaySource, Parcel<Picture<R.Contents>>?)
        /// Another layer's drawing, which the pass has joined.
        case join(Raster<R>)
        /// A drawing of its own.
        case draw(Drawing<R>, DrawLatch, byteCount: Int)
    }

    /// Decides where the pass's picture comes from, without calling anybody.
    private func prepare(
        _ pass: Pass, _ task: DisplayTask<R>?, _ layer: AsyncLayer<R>, isSynchronous: Bool, _ ticket: Ticket
    ) throws -> Start {
        guard let task, task.draw != nil else { return .finish(.empty, nil) }
        let plan = try ContextPlan(
            size: layer.bounds.size, scale: layer.contentsScale, isOpaque: layer.isOpaque)
        guard case .context(let description) = plan else { return .finish(.empty, nil) }
        let background = layer.backgroundColor
        if let content = task.key {
            let key = RasterKey(
                content, size: layer.bounds.size, description: description, background: background)
            updateRecord(of: pass) { $0.key = key }
            if key == display.key { return .finish(.unchanged, nil) }
            if let picture = cache?.picture(for: key) { return .finish(.cached, picture) }
            if !isSynchronous, let raster = cache?.drawings[key], raster.join(self, pass, tier: task.tier) {
                updateRecord(of: pass) { $0.join(raster) }
                return .join(raster)
            }
        }

        let (contexts, byteCount) = try contexts(for: description, layer)
        let latch = DrawLatch(
            ticket: ticket, overdueTime: freshness.overdueTime(limit: layer.maximumStaleness),
            loop: host.loop)
        let drawing = Drawing(
            renderer: renderer, contexts: contexts, background: background,
            scope: DrawScope(
                size: layer.bounds.size, scale: description.scale, isOpaque: description.isOpaque,
                latch: isSynchronous ? nil : latch))
        return .draw(drawing, latch, byteCount: byteCount)
    }

    private func carryOut(
        _ start: Start, of pass: Pass, _ task: DisplayTask<R>?, _ layer: AsyncLayer<R>, isSynchronous: Bool
    ) {
        switch start {
        case .finish(let source, let parcel):
            finish(pass, source, parcel)
        case .join(let raster):
            wait(for: raster, of: pass, layer)
        case .draw(let drawing, let latch, let byteCount):
            guard let task, let draw = task.draw else { return }
            if isSynchronous { return drawNow(drawing, draw, byteCount, pass) }
            let raster = Raster(
                drawing, draw: draw, latch: latch, byteCount: byteCount, tier: task.tier,
                key: record(of: pass)?.key, cache: cache, host: host, for: self, pass)
            updateRecord(of: pass) { $0.raster = raster }
            raster.begin(id: record(of: pass)?.id ?? 0)
            wait(for: raster, of: pass, layer)
        }
    }

    /// The contexts that a picture is drawn in, one after the other, and the bytes of the largest.
    private func contexts(
        for description: ContextDescription, _ layer: AsyncLayer<R>
    ) throws -> ([ContextDescription], byteCount: Int) {
        let needed = renderer.byteCount(of: description)
        let limit = min(layer.maximumContextBytes, host.budget.byteLimit)
        if needed >= 0, needed <= limit { return ([description], needed) }
        guard layer.oversizePolicy == .tiles else {
            throw DisplayError.tooManyBytes(needed: needed, limit: limit)
        }
        let plan = try TilePlan(of: description, byteLimit: limit) { renderer.byteCount(of: $0) }
        return (plan.tiles, plan.tiles.map { renderer.byteCount(of: $0) }.max() ?? 0)
    }

    private func drawNow(
        _ drawing: Drawing<R>, _ draw: DisplayTask<R>.Draw, _ byteCount: Int, _ pass: Pass
    ) {
        host.budget.charge(bytes: byteCount)
        let (signposts, id) = (host.metrics.signposts, record(of: pass)?.id ?? 0)
        let start = host.loop.now
        signposts?.begin(.drawing, of: id)
        let result = drawing.run(draw)
        signposts?.end(.drawing, of: id)
        host.budget.release(bytes: byteCount)
        if case .finished(let parcel) = result, let key = record(of: pass)?.key {
            cache?.insert(parcel.copy(), for: key, bytes: byteCount)
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
