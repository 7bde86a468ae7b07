/// How a pass ends: from the picture, or the lack of one, to the outcome.
extension DisplayPipeline {
    /// What a drawing came to. Of several passes that it was drawn for, one owns it: its time is counted once.
    func receive(_ result: consuming DrawResult, _ times: DrawTimes?, ownsDrawing: Bool, of pass: DisplayPass)
    {
        catchUpWithInvalidations()
        if ownsDrawing, result.hasDrawn { pass.times = times }
        switch consume result {
        case .finished(let parcel):
            if let times { freshness.finished(times.end - pass.beganAt) }
            pass.parcel = parcel
            finish(pass)
        case .stopped(let stage):
            perform(machine.handle(.stopped(pass.number, stage)))
        case .failed(let error):
            fail(pass, error)
        }
    }

    func fail(_ pass: DisplayPass, _ error: any Error) {
        pass.error = error
        perform(machine.handle(.failed(pass.number)))
    }

    /// The pass has its picture.
    func finish(_ pass: DisplayPass) {
        if !hold(pass) { perform(machine.handle(.finished(pass.number))) }
    }

    func end(_ number: DisplayStateMachine.Pass, _ ending: DisplayStateMachine.Ending) {
        guard let index = index(of: number) else { return }
        let pass = passes.remove(at: index)
        let now = host.now
        if case .committed(let isInterim) = ending {
            freshness.shown(at: now, isInterim: isInterim)
            if pass.source != .unchanged || pass.key != display.key {
                show(pass.parcel.take() ?? Parcel(nil), key: pass.key, isPlaceholder: false, at: now)
            }
        }
        // Not shown, or shown already. Not later: `didDisplay` may have something else shown.
        if let parcel = pass.parcel.take() { host.discard(parcel) }
        if let placeholder = pass.task.placeholder.take() { host.discard(Parcel(placeholder)) }
        let outcome = DisplayOutcome(ending, error: pass.error)
        if number == passCount { failure = ending == .failed ? pass.error : nil }
        // Streams first: whoever is called back may have another pass end.
        observers?.yield(outcome)
        for part in pass.parts { part.pipeline.composedPassEnded(outcome) }
        pass.task.didDisplay?(outcome)
        for part in pass.parts { part.didDisplay?(outcome) }
        leaveRound(after: outcome)
        host.metrics.passEnded(report(of: pass, outcome, ending, now))
        goOn(after: outcome)
    }

    private func report(
        of pass: DisplayPass, _ outcome: DisplayOutcome, _ ending: DisplayStateMachine.Ending, _ now: Duration
    ) -> DisplayReport {
        DisplayReport(
            pass: pass.id, outcome: DisplayReport.Outcome(outcome), source: pass.source,
            tier: pass.raster?.tier ?? pass.task.tier, isInterim: ending == .committed(isInterim: true),
            isSynchronous: pass.isSynchronous,
            timeline: DisplayReport.Timeline(
                began: pass.beganAt, drawingBegan: pass.times?.start, drawingEnded: pass.times?.end,
                ended: now))
    }

    /// Swaps a picture in, and tells the layer's hook.
    func show(_ parcel: Parcel<Picture>, key: RasterKey?, isPlaceholder: Bool, at time: Duration) {
        // With the former key may go something of the program's: not while the display is being changed.
        let formerKey = display.key
        defer { extendLifetime(formerKey) }
        guard let contentsDidChange else {
            display.show(parcel, key: key, isPlaceholder: isPlaceholder, at: time)
            return host.discard(parcel)
        }
        let before = (shownAt: display.shownAt, isPlaceholder: display.isPlaceholder)
        display.show(parcel, key: key, isPlaceholder: isPlaceholder, at: time)
        contentsDidChange(parcel, before.shownAt, before.isPlaceholder)
    }

    private func goOn(after outcome: DisplayOutcome) {
        // The layer was invalidated while an interim pass was drawn.
        if isDeferred, !machine.isCatchingUp {
            isDeferred = false
            displayIfNeeded()
        }
        settle(outcome)
    }

    /// Once it shows what it was last asked to, or never will, those who wait for that are told.
    func settle(_ outcome: DisplayOutcome) {
        guard isSettled else { return }
        freshness.cancelled()
        guard let observers else { return }
        // An older pass that was drawn synchronously may be the last to end.
        observers.settle(failure.map { .failed($0) } ?? outcome)
        finishStreamsIfDone()
    }

    /// A pass that the layer was a part of has ended; it may be gone by now.
    private func composedPassEnded(_ outcome: DisplayOutcome) {
        observers?.yield(outcome)
        composedPassCount -= 1
        finishStreamsIfDone()
    }

    /// Ends the streams of a layer that is gone once they have the outcome of every pass, its own and those that it
    /// was a part of: no other can begin.
    private func finishStreamsIfDone() {
        if layer == nil, machine.isIdle, composedPassCount == 0 { observers?.finish() }
    }
}

extension DisplayOutcome {
    fileprivate init(_ ending: DisplayStateMachine.Ending, error: (any Error)?) {
        switch ending {
        case .committed: self = .committed
        case .superseded(let stage): self = .superseded(stage)
        case .cancelled(let stage): self = .cancelled(stage)
        case .failed: self = .failed(error ?? CancellationError())
        }
    }
}
