import AsyncLayers
import QueuePools
import QueuePoolsSimulations
import TestSupport

/// A layer of the stage and its delegate, which describes passes at random and watches what becomes of them.
@MainActor
final class StagePlayer: AsyncLayerDelegate {
    typealias Layer = AsyncLayer<StageRenderer>

    let layer: Layer
    let number: Int

    private unowned let stage: SimulatedStage
    private let log: StageLog
    private(set) var requests = 0
    private(set) var lastCommitted = 0
    private var openPasses: Set<Int> = []
    /// Why the layer does not show the pass that was reported last: a newer one is shown, which will be
    /// reported in the same step.
    private var mismatch: String?
    /// What the layer shows, by the pictures' numbers.
    private var shown: Int?
    /// The same, when the layer was suspended.
    private var shownAtSuspension: Int?
    /// What the newest transition to a pass's picture said of it, until the pass has ended.
    private var isInterim: Bool?

    init(number: Int, stage: SimulatedStage, layer: Layer) {
        self.number = number
        self.stage = stage
        self.layer = layer
        log = stage.log
        layer.delegate = self
        layer.onContentsChange = { [weak self] in self?.onContentsChange($0) }
    }

    func suspend() {
        layer.suspend()
        shownAtSuspension = layer.contents?.number
    }

    // MARK: Describing a pass

    private struct Plan {
        var subject: StageRenderer.Subject
        var isSynchronous = false
        /// True for a pass that shows nothing.
        var isEmpty = false
        var size = Size.zero
        var bandCount = 0
        var bandTime = Duration.zero
        var isAttentive = true
        var error: (any Error)?
    }

    func displayTask(for layer: Layer) -> DisplayTask<StageRenderer>? {
        log.check(!layer.isSuspended, "a suspended layer is asked for a task")
        requests += 1
        let pass = requests
        guard stage.isCalm || !stage.chance(1, of: 40) else {
            log.withoutTask += 1
            stage.hasNoPicture(layer)
            return nil
        }
        let plan = Planned(makePlan(of: pass))
        let subject = plan.value.subject
        var task = DisplayTask<StageRenderer>(
            onStart: { [self] in onStart(pass, plan) },
            onEnd: { [self] in onEnd(pass, $0, plan.value) },
            draw: drawing(plan))
        task.key = subject.key.map { ContentKey($0) }
        task.qos = stage.randomTier()
        if stage.chance(1, of: 8) {
            var subject = StageRenderer.Subject(player: number, pass: pass)
            subject.isPlaceholder = true
            task.placeholder = stage.renderer.picture(
                subject, ContextDescription(pixelWidth: 1, pixelHeight: 1))
        }
        if !stage.isCalm, stage.chance(1, of: 40) {
            plan.value.isEmpty = true
            task.draw = nil
        }
        return task
    }

    private func makePlan(of pass: Int) -> Plan {
        var plan = Plan(subject: StageRenderer.Subject(player: number, pass: pass))
        if stage.chance(1, of: 2) { plan.subject = StageRenderer.Subject(key: stage.random(0...11)) }
        plan.isSynchronous = !layer.displaysAsynchronously
        plan.bandCount = stage.random(0...3)
        plan.bandTime = .milliseconds(stage.random(0...6))
        plan.isAttentive = stage.chance(3, of: 4)
        if !stage.isCalm, stage.chance(1, of: 30) {
            plan.error = stage.chance(1, of: 3) ? CancellationError() : StageFailure()
        }
        return plan
    }

    private func drawing(_ planned: Planned<Plan>) -> DisplayTask<StageRenderer>.Draw {
        let probe = stage.makeProbe()
        return { [meter = stage.meter, simulation = stage.simulation, plan = planned.value] canvas, scope in
            probe.touch()
            let bytes = canvas.description.pixelWidth * canvas.description.pixelHeight * 4
            if !plan.isSynchronous { meter.add(bytes) }
            defer { if !plan.isSynchronous { meter.remove(bytes) } }
            canvas.subject = plan.subject
            for _ in 0..<plan.bandCount {
                if plan.isAttentive { try scope.checkCancellation() }
                simulation.spend(plan.bandTime)
            }
            if let error = plan.error { throw error }
        }
    }

    // MARK: What becomes of it

    private func onStart(_ pass: Int, _ planned: Planned<Plan>) {
        openPasses.insert(pass)
        log.begun += 1
        // What a program may do in here; a display begins a newer pass within this one's preparations.
        if !stage.isCalm {
            if stage.chance(1, of: 64) { layer.setNeedsDisplay() }
            if stage.chance(1, of: 64) { layer.display() }
            if stage.chance(1, of: 64) { stage.resize(layer) }
            if stage.chance(1, of: 64) { stage.suspend(self) }
            if stage.chance(1, of: 64) { stage.displayGroup(with: layer) }
            stage.mayRunLoopWithin()
        }
        // The properties that count are those of this moment.
        let size = layer.size
        planned.value.size = size
        let isBelowOnePixel = size.width * layer.contentsScale < 1 || size.height * layer.contentsScale < 1
        planned.value.isEmpty = planned.value.isEmpty || isBelowOnePixel
    }

    private func onEnd(_ pass: Int, _ outcome: DisplayOutcome, _ plan: Plan) {
        log.check(openPasses.remove(pass) != nil, "pass \(pass) ends twice, or never began")
        log.count(outcome)
        switch outcome {
        case .failed, .cancelled: stage.hasNoPicture(layer)
        case .committed, .superseded: break
        }
        defer { if !stage.isCalm { displayAgain() } }
        guard case .committed(let isInterim) = outcome else { return }
        if let announced = self.isInterim.take() {
            log.check(announced == isInterim, "pass \(pass): interim is \(isInterim), not \(announced)")
        }
        log.check(pass > lastCommitted, "pass \(pass) is committed after pass \(lastCommitted)")
        lastCommitted = pass
        mismatch = stage.hasLeft(self) ? nil : mismatch(with: plan)
    }

    /// Why the layer does not show a pass that was committed.
    private func mismatch(with plan: Plan) -> String? {
        guard let picture = layer.contents else {
            return plan.isEmpty ? nil : "\(plan.subject) shows nothing"
        }
        guard !plan.isEmpty, picture.subject == plan.subject else {
            return "\(plan.subject) shows \(picture.subject)"
        }
        let (description, scale) = (picture.description, picture.description.scale)
        let isOfSize =
            Double(description.pixelWidth) == (plan.size.width * scale).rounded(.up)
            && Double(description.pixelHeight) == (plan.size.height * scale).rounded(.up)
        return isOfSize ? nil : "\(description) for \(plan.size)"
    }

    private func displayAgain() {
        if stage.chance(1, of: 64) { layer.setNeedsDisplay() }
        if stage.chance(1, of: 64) { layer.display() }
        if stage.chance(1, of: 64) { stage.displayGroup(with: layer) }
        stage.mayRunLoopWithin()
    }

    private func onContentsChange(_ transition: ContentsTransition<StageRenderer.Picture>) {
        shown = layer.contents?.number
        // Not reported: that a pass without a task shows nothing, and that a placeholder is shown.
        if shown == nil || layer.showsPlaceholder { mismatch = nil }
        isInterim = transition.isPlaceholder ? nil : transition.isInterim
        guard transition.isPlaceholder else { return }
        log.placeholders += 1
        // A newer picture may be shown already; its own call follows.
        guard layer.showsPlaceholder, let picture = layer.contents else { return }
        log.check(
            picture.subject.isPlaceholder && picture.subject.pass > lastCommitted,
            "the placeholder of pass \(picture.subject.pass) is shown after pass \(lastCommitted)")
    }

    /// What must hold whenever nothing is being done.
    func check() {
        log.check(layer.contents?.number == shown, "the contents changed without a callback")
        log.check(mismatch == nil, mismatch ?? "")
        let isSuspended = stage.isSuspended(layer)
        log.check(layer.isSuspended == isSuspended, "suspended is \(layer.isSuspended), not \(isSuspended)")
        if isSuspended {
            log.check(layer.contents?.number == shownAtSuspension, "a suspended layer shows something else")
        }
    }

    /// At the end, when nothing is asked for any more.
    func checkSettled() {
        log.check(openPasses.isEmpty, "passes \(openPasses) of player \(number) have not ended")
        log.check(
            lastCommitted == requests, "player \(number) shows pass \(lastCommitted), not \(requests)")
        log.check(layer.contents != nil && !layer.showsPlaceholder, "player \(number) shows nothing")
    }
}

/// A value that closures of one pass share.
@MainActor
private final class Planned<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// What a draw of the stage fails with.
struct StageFailure: Error {}

/// What the players saw.
@MainActor
final class StageLog {
    private(set) var violations: [String] = []
    private(set) var committed = 0
    private(set) var superseded = 0
    private(set) var cancelled = 0
    private(set) var failed = 0
    var begun = 0
    var withoutTask = 0
    var placeholders = 0

    var ended: Int { committed + superseded + cancelled + failed }

    func check(_ condition: Bool, _ violation: @autoclosure () -> String) {
        if !condition { violations.append(violation()) }
    }

    func count(_ outcome: DisplayOutcome) {
        switch outcome {
        case .committed: committed += 1
        case .superseded: superseded += 1
        case .cancelled: cancelled += 1
        case .failed: failed += 1
        }
    }
}
