import QueuePoolsTransactions

/// The program's code runs last.
///
/// A call into the host changes the state of layers, draws and groups, and calls nothing of the program
/// meanwhile: callbacks, and objects of the program that are released, become *effects*. They run, in the
/// order in which they arose, when the outermost call has ended. What an effect calls is a call like any
/// other; its own effects run after those that are there already, and not within the caller.
///
/// Three kinds of the program's code run within a pass, because it needs their result, and all of them before
/// anything is decided: the delegate's task with `onStart`, the comparison of keys as a picture is looked
/// for, and a draw closure on the main actor. (A cache compares keys under its lock, also as a picture
/// is put into it, and as a thread plans a composition: no layer may be called there.)
extension DisplayHost {
    /// Something of the program's to call or to release.
    enum Effect {
        /// A pass has ended: reports the outcome, and releases its task.
        case report(LayerPass, DisplayOutcome)
        case call(@MainActor () -> Void)
        case release(AnyObject)

        @MainActor
        fileprivate consuming func run() {
            switch consume self {
            case .report(let pass, let outcome): pass.pipeline.report(outcome, of: pass)
            case .call(let body): body()
            case .release: break
            }
        }
    }

    /// Makes a call into the host, whose effects run when the outermost call has ended.
    func enter<Result>(_ body: () -> Result) -> Result {
        entryCount += 1
        let result = body()
        entryCount -= 1
        if entryCount == 0 { leave() }
        return result
    }

    /// Does what the main loop calls. If an effect runs the loop, such as a modal dialog does, then the
    /// effects of the loop's calls run within that effect.
    func runFromLoop(_ body: () -> Void) {
        let (formerDepth, hadWaited) = (effectDepth, hasWaited)
        // A turn has caused nothing yet; unless effects run turns within each other without end.
        if loopDepth < Self.maximumDepth { (effectDepth, hasWaited) = (0, false) }
        loopDepth += 1
        body()
        if entryCount == 0 { leave(isLoops: true) }
        loopDepth -= 1
        (effectDepth, hasWaited) = (formerDepth, hadWaited)
    }

    /// Makes several calls, between which the program is asked, and runs their effects after the last.
    func together(_ body: () -> Void) {
        let wasDraining = isDraining
        isDraining = true
        transactions.together(body)
        isDraining = wasDraining
        if entryCount == 0 { leave() }
    }

    /// Runs an effect when the outermost call has ended.
    func append(_ effect: consuming Effect) {
        effects.append(QueuedEffect(effect: effect, depth: effectDepth + 1))
        // A group may have layers of several hosts: then the call was one into another host.
        // An effect that runs the loop may last.
        if entryCount == 0, !isDraining || effectDepth > 0 { announceEffects() }
    }

    /// Has the loop run the effects, unless they have run before.
    private func announceEffects() {
        guard !isAnnounced else { return }
        isAnnounced = true
        loop.perform { [self] in
            isAnnounced = false
            runFromLoop {}
        }
    }

    private func leave(isLoops: Bool = false) {
        // The program is asked for keys: while nothing is being decided.
        startHeldBack()
        // Within a flush, when that ends.
        if !discarded.isEmpty, !transactions.isFlushing { releaseDiscarded() }
        guard !effects.isEmpty || !isDraining else { return }
        guard isLoops || !isDraining else {
            // A call that an effect makes, or that a loop within the effect does for an event.
            if effectDepth > 0 { announceEffects() }
            return
        }
        let (wasDraining, formerDepth) = (isDraining, effectDepth)
        isDraining = true
        while let next = effects.popFirst() {
            effectDepth = next.depth
            (consume next).run()
        }
        (isDraining, effectDepth) = (wasDraining, formerDepth)
        if !wasDraining { hasWaited = false }
    }

    /// Whether a pass may begin now. Not where effects have caused each other too often: callbacks that
    /// display again on each picture, which in the end is cached, leave the main thread to others.
    var admitsPasses: Bool { effectDepth < Self.maximumDepth }

    private static let maximumDepth = 16

    /// Lets passes begin to be drawn that have waited for older ones of their layers.
    func startHeldBack() {
        while !heldBack.isEmpty {
            let passes = heldBack
            heldBack = []
            for pass in passes { pass.pipeline.startHeldBack(pass) }
        }
    }
}

/// An effect, and how many effects have caused each other before it.
struct QueuedEffect {
    fileprivate let effect: DisplayHost.Effect
    fileprivate let depth: Int

    @MainActor
    fileprivate consuming func run() { effect.run() }
}
