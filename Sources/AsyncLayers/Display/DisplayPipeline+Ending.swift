import QueuePools

/// How a pass ends: from the picture, or the lack of one, to the outcome.
extension DisplayPipeline {
    /// The drawing that a pass has subscribed to has come back.
    func receive(_ product: DrawProduct, of pass: LayerPass) {
        // The main actor has not been notified yet that the layer is gone.
        if isLayerGone { perform(machine.handle(.cancelled)) }
        switch product.result {
        case .finished:
            if let times = product.times { pace.drew(in: times.end - times.start) }
            finish(pass)
        case .stopped(let stage): perform(machine.handle(.stopped(pass, stage)))
        case .lacksMemory: break
        case .failed(let error): fail(pass, error)
        }
    }

    func fail(_ pass: LayerPass, _ error: any Error) { perform(machine.handle(.failed(pass, error))) }

    /// The pass has its picture: it is shown, or held for the group. A group shows the newest request of each
    /// layer, so an interim picture is not shown before it; but one is that is late for an earlier display.
    func finish(_ pass: LayerPass) {
        guard let member, member.display != nil else { return perform(machine.handle(.finished(pass))) }
        guard machine.isCurrent(pass) else {
            let event: DisplayStateMachine<LayerPass>.Event =
                pass.number <= member.latePass ? .finished(pass) : .stopped(pass, .committing)
            return perform(machine.handle(event))
        }
        if case .ready(let picture) = pass.phase { pass.phase = .held(picture) }
        updateGroup()
    }

    /// The outcome of a pass is decided: the layer changes now, and the program is called afterwards.
    func end(_ pass: LayerPass, _ outcome: DisplayOutcome) {
        var outcome = outcome
        var picture = pass.end()
        pass.endedAt = host.now
        if case .committed(let isStale) = outcome {
            let isInterim = isStale || pass.isDraft || isOutdated || isFollowing
            outcome = .committed(isInterim: isInterim)
            hasShown = true
            // The full picture follows, unless there is a newer pass, or a request for one, on a tier of its
            // own.
            if pass.isDraft, isSettled {
                // One tier lower: after what shows nothing yet.
                nextTier = QoSTier(rawValue: pass.tier.rawValue - 1) ?? .background
                setNeedsDisplay()
            }
            if pass.source != .unchanged || pass.key !== display.key {
                show(
                    picture.take(), key: pass.key,
                    DisplayedPicture.Facts(
                        geometry: pass.geometry, shownAt: pass.endedAt, isInterim: isInterim))
            }
        }
        // Not shown, or shown already.
        if let picture { host.discard(picture) }
        if let placeholder = pass.task.placeholder.take() { host.discard(placeholder) }
        if pass.number == machine.newest { setFailure(outcome.error) }
        host.append(.report(pass, outcome))
        leaveGroup(after: outcome)
        finishStreamsIfDone()
    }

    /// Reports an outcome to the program. What the pass has of the program's is released afterwards.
    func report(_ outcome: DisplayOutcome, of pass: LayerPass) {
        observers?.yield(outcome)
        pass.task.onEnd?(outcome)
        host.passEnded(
            DisplayReport(
                pass: pass.id, outcome: outcome, source: pass.source, qos: pass.task.qos,
                isSynchronous: pass.isSynchronous, began: pass.requestedAt, drawing: pass.product?.times,
                ended: pass.endedAt))
        if pass.number == machine.newest { settle(outcome) }
    }

    /// Swaps a picture in; the layer's hook is called afterwards.
    func show(_ picture: consuming Picture?, key: PictureKey?, _ facts: DisplayedPicture.Facts) {
        var shown = DisplayedPicture(picture: picture, key: key, facts: facts)
        swap(&display, &shown)
        if let key = shown.key.take() { host.append(.release(key)) }
        guard onContentsChange != nil else {
            if let picture = shown.picture.take() { host.discard(picture) }
            return
        }
        // A variable that the closure captures would have memory of its own, also where there is no closure.
        let former = shown
        host.append(
            .call { [self] in
                if let onContentsChange { return onContentsChange(former.picture, former.facts, facts) }
                host.releases.leave([former.picture].compactMap(\.self))
            })
    }

    func setFailure(_ error: (any Error)?) {
        guard error != nil || failure != nil else { return }
        let former = failure
        failure = error
        host.append(.call { extendLifetime(former) })
    }

    /// Resumes the callers that wait for the layer once it shows what was last requested, or never will.
    func settle(_ outcome: DisplayOutcome) {
        if let observers, isSettled { observers.settle(outcome) }
    }

    /// Ends the streams of a layer that is gone once they have the outcomes of all passes: no other can
    /// begin.
    func finishStreamsIfDone() {
        guard let observers, isLayerGone, machine.isIdle else { return }
        host.append(.call { observers.finish() })
    }
}

extension DisplayOutcome {
    fileprivate var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}
