import QueuePools

/// How a pass ends: from the picture, or the lack of one, to the outcome.
extension DisplayPipeline {
    /// What a drawing came to. Of several passes that it was drawn for, one owns it: its time is counted once.
    func receive(_ result: Drawing<R>.Result, _ times: DrawTimes, ownsDrawing: Bool, of pass: Pass) {
        catchUpWithInvalidations()
        if ownsDrawing, result.hasDrawn { updateRecord(of: pass) { $0.times = times } }
        switch result {
        case .finished(let parcel):
            if let beganAt = record(of: pass)?.beganAt { freshness.finished(times.end - beganAt) }
            updateRecord(of: pass) { $0.parcel = parcel }
            finish(pass)
        case .stopped(let stage):
            perform(machine.handle(.stopped(pass, stage)))
        case .failed(let error):
            fail(pass, error)
        }
    }

    func fail(_ pass: Pass, _ error: any Error) {
        updateRecord(of: pass) { $0.error = error }
        perform(machine.handle(.failed(pass)))
    }

    /// The pass has its picture without a drawing of its own.
    func finish(_ pass: Pass, _ source: DisplaySource, _ parcel: Parcel<Picture<R.Contents>>?) {
        updateRecord(of: pass) {
            $0.source = source
            $0.parcel = parcel
        }
        finish(pass)
    }

    private func finish(_ pass: Pass) {
        if !hold(pass) { perform(machine.handle(.finished(pass))) }
    }

    func end(_ pass: Pass, _ ending: DisplayStateMachine.Ending) {
        guard let index = passes.firstIndex(where: { $0.pass == pass }) else { return }
        let record = passes.remove(at: index)
        let now = host.loop.now
        if case .committed(let isInterim) = ending {
            freshness.shown(at: now, isInterim: isInterim)
            if record.source != .unchanged {
                show(record.parcel ?? Parcel(nil), key: record.key, isPlaceholder: false)
            }
        } else {
            record.parcel?.empty(on: host.pool)
        }
        let outcome = DisplayOutcome(ending, error: record.error)
        record.task?.didDisplay?(outcome)
        observers?.yield(outcome)
        leaveRound(after: outcome)
        host.metrics.passEnded(report(of: record, outcome, ending, now))
        goOn(after: outcome)
    }

    private func report(
        of record: PassRecord<R>, _ outcome: DisplayOutcome, _ ending: DisplayStateMachine.Ending,
        _ now: Duration
    ) -> DisplayReport {
        DisplayReport(
            pass: record.id, outcome: DisplayReport.Outcome(outcome), source: record.source,
            tier: record.raster?.tier ?? record.task?.tier ?? .userInitiated,
            isInterim: ending == .committed(isInterim: true), isSynchronous: record.isSynchronous,
            timeline: DisplayReport.Timeline(
                began: record.beganAt, drawingBegan: record.times?.start, drawingEnded: record.times?.end,
                ended: now))
    }

    /// Swaps a picture in, and tells the layer's hook.
    func show(_ parcel: Parcel<Picture<R.Contents>>, key: RasterKey?, isPlaceholder: Bool) {
        let previous = display.show(
            parcel, key: key, isPlaceholder: isPlaceholder, at: host.loop.now, pool: host.pool)
        layer?.contentsDidChange?(ContentsTransition(from: previous, to: display))
    }

    private func goOn(after outcome: DisplayOutcome) {
        // The layer was invalidated while an interim pass was drawn.
        if isDeferred, !machine.isCatchingUp {
            isDeferred = false
            displayIfNeeded()
        }
        switch outcome {
        case .committed, .superseded: settleIfIdle(.success(()))
        case .cancelled: settleIfIdle(.failure(CancellationError()))
        case .failed(let error): settleIfIdle(.failure(error))
        }
    }

    /// With nothing in flight and nothing asked for, the layer is as it was last asked to be, or never will.
    func settleIfIdle(_ result: Result<Void, any Error>) {
        guard isSettled else { return }
        freshness.cancelled()
        observers?.settle(result)
        if layer == nil { observers?.finish() }
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
