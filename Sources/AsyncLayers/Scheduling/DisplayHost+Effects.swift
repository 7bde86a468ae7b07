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
    package func enter<Result>(_ body: () -> Result) -> Result {
        let former = effects.begin(.call)
        let result = body()
        effects.end(former)
        settle()
        return result
    }

    /// Does what the main loop calls. If an effect runs the loop, such as a modal dialog does, then the
    /// effects of the loop's calls run within that effect.
    func runFromLoop(_ body: () -> Void) {
        let former = effects.beginTurn()
        body()
        settle()
        effects.endTurn(former)
    }

    /// Makes several calls, between which the program is asked, and runs their effects after the last.
    func together(_ body: () -> Void) {
        let former = effects.begin(.together)
        transactions.together(body)
        effects.end(former)
        settle()
    }

    /// Calls a closure when the outermost call has ended.
    package func afterwards(_ body: @escaping @MainActor () -> Void) { append(.call(body)) }

    /// Runs an effect when the outermost call has ended. (A group may have layers of several hosts: then
    /// that was one into another host, and the loop runs the effect.)
    func append(_ effect: consuming Effect) {
        effects.append(effect)
        announceEffects()
    }

    /// Has the loop run the effects, if it must, unless they have run before.
    private func announceEffects() {
        guard effects.mustAnnounce() else { return }
        loop.perform { [self] in
            effects.announcementComes()
            runFromLoop {}
        }
    }

    /// Something has ended. If that was the outermost call, does the work that waits for that.
    private func settle() {
        guard !effects.isInCall else { return }
        // The program is asked for keys: while nothing is being decided.
        if !heldBack.isEmpty { startHeldBack() }
        // Within a flush, when that ends.
        if !discarded.isEmpty, !transactions.isFlushing { releaseDiscarded() }
        if let run = effects.beginRun() {
            while let effect = effects.next(of: run) { (consume effect).run() }
            effects.endRun(run)
        }
        announceEffects()
    }

    /// Lets passes begin to be drawn that have waited for older ones of their layers.
    func startHeldBack() {
        while !heldBack.isEmpty {
            let passes = heldBack
            heldBack = []
            for pass in passes { pass.pipeline.startHeldBack(pass) }
        }
    }
}
