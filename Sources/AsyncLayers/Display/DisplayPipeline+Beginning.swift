import QueuePools
import QueuePoolsTransactions

/// How a pass begins. First the program is asked; then it is decided, without calling the program, what
/// becomes of the pass before this one, and where the picture comes from.
extension DisplayPipeline {
    func displayIfNeeded(_ layer: any LayerOwner) {
        if isDisplayNeeded, !isSuspended { beginPass(of: layer, isNew: false) }
    }

    /// Begins a pass now. A suspended layer is marked; one that is being asked for a task already, or whose
    /// callbacks display it again and again, displays at the end of the next turn.
    ///
    /// - Parameter isNew: whether it is a request, and not the end of the turn for an older one, which a
    ///   caller may have cancelled.
    func beginPass(of layer: any LayerOwner, isNew: Bool = true) {
        guard !isSuspended else { return markNeedsDisplay() }
        // The group's display that follows begins a pass, which is newer.
        if isFollowing { return isNew ? clearNeedsDisplay() : clearMark() }
        guard !isAsking, host.effects.admitsPasses else {
            // The mark may be set, for the turn's end that is now.
            clearNeedsDisplay()
            return setNeedsDisplay()
        }
        if isNew { clearNeedsDisplay() } else { clearMark() }
        isAsking = true
        let pass = ask(layer)
        host.enter { begin(pass) }
    }

    // MARK: The program is asked

    /// Asks for a task, looks its key up, and draws what the main actor must draw.
    private func ask(_ layer: any LayerOwner) -> LayerPass {
        // The pass must not retain the layer, only its task.
        var task = BaseTask()
        layer.beginTask(&task)
        let movedTier = nextTier.take()
        if let movedTier { task.qos = movedTier }
        let isSynchronous = !properties.displaysAsynchronously || task.work == nil
        let id = host.passBegan()
        let now = host.now
        let pass = LayerPass(
            machine.newest + 1, id: id, of: self, consume task, isSynchronous: isSynchronous, at: now,
            quietTime: pace.requested(at: now))
        pass.isMoved = movedTier != nil
        do { try prepare(pass) } catch { pass.phase = .failed(error) }
        if isSynchronous, !isSuspended, case .planned(let plan) = pass.phase { draw(plan, for: pass) }
        return pass
    }

    /// Draws on the main actor; cannot be stopped.
    private func draw(_ plan: consuming DrawPlan, for pass: LayerPass) {
        do { plan = try plan.prepared() } catch { return pass.phase = .failed(error) }
        host.budget.charge(bytes: plan.byteCount)
        let product = DrawPlan.draw(plan, nil)
        host.budget.release(bytes: product.plan.byteCount)
        product.plan.keep(product.result)
        pass.product = product
        switch product.result {
        case .finished(let picture):
            host.signposts?.end(.committing, of: pass.id)
            pass.phase = .ready(picture)
        case .failed(let error): pass.phase = .failed(error)
        case .stopped, .lacksMemory: break
        }
    }

    /// Decides where the pass's picture comes from: it exists, or nothing is shown; or it is that of a
    /// drawing in flight; or it is drawn, as a draft first if the layer has drafts.
    private func prepare(_ pass: LayerPass) throws {
        guard pass.task.work != nil, let whole = try description(at: properties.contentsScale) else {
            pass.source = .empty
            return
        }
        if find(pass, whole, isDraft: false) { return }
        guard let scale = draftScale(of: pass), let draft = try description(at: scale) else {
            return pass.phase = .planned(try plan(pass, whole))
        }
        if !find(pass, draft, isDraft: true) { pass.phase = .planned(try plan(pass, draft)) }
    }

    private func description(at scale: Double) throws -> ContextDescription? {
        try ContextDescription(
            size: properties.size, scale: scale, isOpaque: properties.background.isOpaque)
    }

    /// The scale of a draft. A draft is drawn first if the layer can have one, if nothing else of it will be
    /// seen before, and if more is requested than the workers can draw.
    private func draftScale(of pass: LayerPass) -> Double? {
        guard let fraction = properties.options.draft else { return nil }
        let canHaveDraft = !pass.isSynchronous && member == nil && pass.task.work?.isComposition == false
        let isFirst = !hasShown && machine.interimCount == 0 && machine.current?.isBeingDrawn != true
        guard canHaveDraft, isFirst else { return nil }
        let tier = pass.task.qos
        let wait = host.backlog.wait(on: tier, threadCount: host.threadCount)
        let isBehind =
            wait > .zero && wait >= host.demotionDelay
            || host.demotion.isBehind(on: tier, at: pass.requestedAt)
        return isBehind ? properties.contentsScale * fraction : nil
    }

    /// Finds a pass's picture at a scale without drawing, by its task's key.
    private func find(_ pass: LayerPass, _ description: ContextDescription, isDraft: Bool) -> Bool {
        pass.geometry = ContentsGeometry(size: properties.size, scale: description.scale)
        pass.background = properties.background
        pass.isDraft = isDraft
        pass.key = pass.task.key.flatMap {
            PictureKey(
                $0, size: pass.geometry.size, scale: description.scale, background: pass.background)
        }
        guard let key = pass.key else { return false }
        return find(key, for: pass)
    }

    /// Finds a pass's picture by its key: on show, in the cache, or in flight. Comparing keys may call the
    /// program, which may change anything: so that comes first, and what was found is looked at again.
    private func find(_ key: PictureKey, for pass: LayerPass) -> Bool {
        let (shownKey, older, wasPlanned) = (display.key, machine.current, pass.isPlanned)
        let isShown = key == shownKey
        let found = isShown ? nil : cache?.find(key)
        let isOlders = found?.picture == nil && !pass.isSynchronous && older.map { $0.key == key } == true
        // From here on nothing of the program's is called.
        guard pass.isPlanned == wasPlanned else {
            if let picture = found?.picture { host.discard(picture) }
            return false
        }
        if isShown, display.key === shownKey {
            pass.source = .unchanged
            pass.key = shownKey
            // If the pass waits for its group, or an older one ends before it, something else may be shown
            // meanwhile.
            let isShownNow = member == nil && machine.isIdle
            pass.phase = .ready(isShownNow ? nil : display.picture?.hold())
            return true
        }
        if let picture = found?.picture {
            pass.source = .cached
            pass.phase = .ready(picture)
            return true
        }
        guard !pass.isSynchronous else { return false }
        // A main thread that waits for a drawing receives those of its own host.
        let own = machine.current === older ? older?.drawing : nil
        let drawing = found?.drawing.flatMap { $0.host === host ? $0 : nil } ?? (isOlders ? own : nil)
        guard let drawing, drawing.canBeJoined(insteadOf: own) else { return false }
        pass.source = .shared
        drawing.subscribe(pass)
        return true
    }

    /// Plans the drawing, and computes the memory that it takes. Of a composition the thread that draws does
    /// both: here it costs as much as a closure, whatever its parts are.
    private func plan(_ pass: LayerPass, _ description: ContextDescription) throws -> DrawPlan {
        let byteLimit = min(properties.options.contextByteLimit, host.budget.byteLimit)
        let pictureByteCount = byteCount(of: description)
        guard (0...max(0, byteLimit)).contains(pictureByteCount) else {
            throw DisplayError.tooManyBytes(needed: pictureByteCount, limit: byteLimit)
        }
        guard let work = pass.task.work else { preconditionFailure("a pass without work shows nothing") }
        return DrawPlan(
            id: pass.id, pipeline: self, key: pass.key, work: work, size: pass.geometry.size,
            description: description, background: pass.background,
            byteCount: work.isComposition ? 0 : pictureByteCount, contextByteLimit: byteLimit,
            pictureByteCount: pictureByteCount)
    }

    // MARK: The state changes

    private func begin(_ pass: LayerPass) {
        if case .planned = pass.phase { host.signposts?.begin(.waiting, of: pass.id) }
        let actions = machine.handle(.began(pass, previous: replace(by: pass)))
        isAsking = false
        perform(actions)
        updateGroup()
        // The delegate may have suspended the layer.
        guard !isSuspended else {
            markNeedsDisplay()
            return perform(machine.handle(.cancelled))
        }
        switch pass.phase {
        case .planned: start(pass)
        case .ready: return finish(pass)
        case .failed(let error): return fail(pass, error)
        case .subscribed where isAwaited: pass.raise(to: .userInitiated)
        case .subscribed, .held, .ended: break
        }
        wait(for: pass)
    }

    /// Takes the older pass off its place, or puts the new one into it.
    private func replace(by pass: LayerPass) -> DisplayStateMachine<LayerPass>.Previous {
        guard let older = machine.current else { return .droppable(.waiting) }
        if case .planned(let plan) = pass.phase, older.drawing?.replace(older, by: pass, plan) == true {
            return .droppable(.waiting)
        }
        if let drawing = older.drawing, drawing !== pass.drawing, !drawing.isWaiting {
            return .drawing(
                isStoppingWorthwhile: drawing.canBeStopped
                    && pace.isStoppingWorthwhile(quietTime: older.quietTime))
        }
        // A thread may begin now.
        return older.drop().map { .droppable($0) } ?? .drawing(isStoppingWorthwhile: false)
    }

    /// Lets a pass that must be drawn wait for memory and a thread, unless as many draws of the layer are
    /// being finished as may be at a time.
    private func start(_ pass: LayerPass) {
        guard pass.isPlanned, machine.interimCount < pace.drawsAtATime else { return }
        // The caller may have begun to wait before the pass began.
        if isAwaited { pass.raise(to: .userInitiated) }
        if let plan = pass.takePlan() { _ = Drawing(plan, for: pass, mayDemoteOthers: !hasShown) }
    }

    /// Lets a pass begin that has waited for an older one, unless its picture exists meanwhile.
    func startHeldBack(_ pass: LayerPass) {
        guard case .planned = pass.phase else { return }
        guard let key = pass.key, find(key, for: pass) else { return host.enter { start(pass) } }
        host.signposts?.end(.waiting, of: pass.id)
        switch pass.phase {
        case .ready: host.enter { finish(pass) }
        case .subscribed where isAwaited: host.enter { pass.raise(to: .userInitiated) }
        default: break
        }
    }

    /// Makes the main thread wait for a draw, if the layer has a limit that the draw may meet; then shows
    /// the placeholder if nothing else is shown.
    private func wait(for pass: LayerPass) {
        if let limit = properties.options.displayTimeLimit, pace.drawTime <= limit {
            pass.raise(to: .userInteractive)
            host.wait(for: pass, until: host.now + min(limit, .seconds(3600))) {
                self.showPlaceholder(of: pass)
            }
        } else if pass.task.placeholder != nil {
            showPlaceholder(of: pass)
        }
    }

    private func showPlaceholder(of pass: LayerPass) {
        guard machine.current === pass, pass.isPending,
            display.isEmpty || display.facts.isPlaceholder, let placeholder = pass.task.placeholder.take()
        else { return }
        let geometry = ContentsGeometry(size: properties.size, scale: properties.contentsScale)
        show(
            placeholder, key: nil,
            DisplayedPicture.Facts(geometry: geometry, shownAt: host.now, isPlaceholder: true))
    }
}
