import QueuePools

/// How a pass ends: from the picture, or the lack of one, to the outcome.
extension DisplayPipeline {
    /// A draw for this layer, or one that it followed, has ended.
    func receive(_ result: DrawResult, _ times: DrawTimes?, of draw: Draw) {
        // The main actor has not been notified yet that the layer is gone.
        if isLayerGone { perform(machine.handle(.cancelled)) }
        guard machine.isInFlight(draw) else {
            // The picture was for others.
            if let picture = draw.picture.take() { host.discard(picture) }
            return
        }
        switch result {
        case .finished:
            if let times { pace.drew(in: times.end - times.start) }
            finish(draw)
        case .stopped(let stage):
            perform(machine.handle(.stopped(draw, stage)))
        case .failed(let error):
            fail(draw, error)
        }
    }

    func fail(_ draw: Draw, _ error: any Error) { perform(machine.handle(.failed(draw, error))) }

    /// The pass has its picture.
    func finish(_ draw: Draw) {
        if !hold(draw) { perform(machine.handle(.finished(draw))) }
    }

    func end(_ draw: Draw, _ outcome: DisplayOutcome) {
        endingDepth += 1
        defer {
            endingDepth -= 1
            if observers != nil { finishStreamsIfDone() }
        }
        let now = host.now
        var outcome = outcome
        if case .committed(let isInterim) = outcome {
            outcome = .committed(isInterim: isInterim || draw.isDraft || isDisplayNeeded)
            hasShown = true
            // The full picture follows, unless there is a newer pass, or a request for one, on a tier of its
            // own. Before any callback, which may cancel.
            if draw.isDraft, isSettled {
                // One tier lower: after what shows nothing yet.
                nextTier = QoSTier(rawValue: draw.tier.rawValue - 1) ?? .background
                setNeedsDisplay()
            }
            if draw.source != .unchanged || draw.key != display.key {
                show(
                    draw.picture.take(), key: draw.key,
                    DisplayedPicture.Facts(geometry: draw.geometry, shownAt: now))
            }
        }
        // Not shown, or shown already. Not later: `didDisplay` may show something else.
        if let picture = draw.picture.take() { host.discard(picture) }
        if let placeholder = draw.task.placeholder.take() { host.discard(placeholder) }
        if draw.number == passCount { failure = outcome.error }
        // Streams first: a callback may have another pass end.
        observers?.yield(outcome)
        for part in draw.parts { part.pipeline.composedPassEnded(outcome) }
        draw.task.didDisplay?(outcome)
        for part in draw.parts { part.didDisplay?(outcome) }
        leaveGroup(after: outcome)
        host.passEnded(
            DisplayReport(
                pass: draw.id, outcome: outcome, source: draw.source, tier: draw.tier,
                isSynchronous: draw.isSynchronous, began: draw.requestedAt, drawing: draw.times, ended: now))
        draw.releaseTask()
        settle(outcome)
    }

    /// Swaps a picture in, and calls the layer's hook.
    func show(_ picture: consuming Picture?, key: consuming PictureKey?, _ facts: DisplayedPicture.Facts) {
        // The former key may release something of the program's: not while the display is being changed.
        swap(&display.key, &key)
        defer { extendLifetime(key) }
        swap(&display.picture, &picture)
        let formerFacts = display.facts
        display.facts = facts
        if let contentsDidChange { return contentsDidChange(picture, formerFacts) }
        if let picture = picture.take() { host.discard(picture) }
    }

    /// Resumes the callers that wait for the layer once it shows what was last requested, or never will.
    func settle(_ outcome: DisplayOutcome) {
        guard let observers, isSettled else { return }
        // An older pass that was drawn synchronously may be the last to end.
        observers.settle(failure.map { .failed($0) } ?? outcome)
        finishStreamsIfDone()
    }

    /// A pass that the layer was a part of has ended; the layer may be gone.
    private func composedPassEnded(_ outcome: DisplayOutcome) {
        observers?.yield(outcome)
        composedPassCount -= 1
        finishStreamsIfDone()
    }

    /// Ends the streams of a layer that is gone once they have the outcomes of all passes, its own and those
    /// that it was a part of: no other can begin.
    private func finishStreamsIfDone() {
        if endingDepth == 0, isLayerGone, machine.isIdle, composedPassCount == 0 { observers?.finish() }
    }
}

extension DisplayOutcome {
    fileprivate var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}
