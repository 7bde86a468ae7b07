import QueuePools
import TestSupport

@testable import AsyncLayers

/// Some scenarios at the same time, chosen by a seed, on a ``VirtualMachine``; and what must hold all along:
///
/// - each pass that begins has one outcome;
/// - the pictures that a layer shows only get newer;
/// - no draw begins before one that has waited for longer on its tier, or on one above it: so a layer waits
///   for no more than the draws that were before it;
/// - no processor is idle while a draw waits that has memory, and whose layer may have one more draw.
@MainActor
final class ScenarioPlay {
    enum Scenario: CaseIterable {
        /// Some layers are invalidated in each frame, with draws of 30 ms, or of 1 to 60.
        case storm
        /// Layers that have another size in each frame, with draws of 5 to 80 ms.
        case resize
        /// A draw of 2 s.
        case longDraw
        /// Fifty layers in a storm, memory for three, and one that asks once.
        case crowd
        /// Ten draws of 1 ms at once, beside one of a second.
        case quickDraws
        /// Rows that come into view and leave, with drafts, some of them drawn ahead.
        case scroll
        /// Layers that appear in one step.
        case group
        /// A layer whose picture has parts.
        case composition
    }

    static let frame = Duration.microseconds(8_333)
    static let side = 8.0

    let machine: VirtualMachine
    let host: DisplayHost
    let scenarios: [Scenario]
    let book = DrawBook()
    private(set) var violations: [String] = []
    var draftCount = 0
    private let pool: QueuePool<ProcessorQueue>
    private var generator: SeededGenerator
    private var players: [ScenarioPlayer] = []
    private var nextNumber = 0
    private let frameCount: Int
    let hasLittleMemory: Bool

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        machine = VirtualMachine(
            processorCount: Int.random(in: 1...4, using: &generator), seed: generator.next())
        pool = try machine.makePool()
        scenarios = Array(
            Scenario.allCases.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
        hasLittleMemory = scenarios.contains(.crowd) || generator.next() % 4 == 0
        host = DisplayHost(
            pool: pool, transactions: machine.transactions, loop: machine,
            budget: MemoryBudget(byteLimit: hasLittleMemory ? 3 * Self.byteCount : 1 << 30),
            metrics: DisplayMetrics())
        frameCount = Int.random(in: 60...180, using: &generator)
        self.generator = generator
    }

    /// For the message of a test that fails.
    var conditions: String {
        "\(scenarios), \(machine.processorCount) processors\(hasLittleMemory ? ", little memory" : "")"
    }

    // MARK: Playing

    func play() {
        machine.beforeTimePasses = { [unowned self] in checkProcessors() }
        machine.jobHasEnded = { [book, unowned machine] in book.jobEnded($0, at: machine.now) }
        for scenario in scenarios { begin(scenario) }
        machine.run(until: Self.frame * frameCount)
        machine.run(until: Self.frame * frameCount + .seconds(60))
        for player in players {
            check(player.layer.pipeline.machine.isIdle, "\(player) has passes in flight in the end")
            guard !player.hasLeft else { continue }
            check(
                player.shownPass == player.begun,
                "\(player) shows pass \(player.shownPass) of \(player.begun)")
        }
        for player in players {
            check(
                player.ended.count == player.begun, "\(player): \(player.begun) passes, \(player.ended) ended"
            )
        }
        check(host.budget.bytesInUse == 0 && host.budget.waitingCount == 0, "memory is in use")
        violations += book.violations
        machine.beforeTimePasses = nil
        machine.jobHasEnded = nil
        players = []
        machine.run(until: machine.now)
    }

    private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private func add(
        _ name: String, draws: ClosedRange<Int>, tier: QoSTier = .userInitiated
    ) -> ScenarioPlayer {
        nextNumber += 1
        let player = ScenarioPlayer(
            "\(name) \(nextNumber)", in: self, milliseconds: draws, seed: generator.next())
        player.tier = tier
        players.append(player)
        return player
    }

    /// Calls at some moment of each frame.
    private func eachFrame(_ body: @escaping @MainActor @Sendable (Int) -> Void) {
        for number in 0..<frameCount {
            let time = Self.frame * number + .microseconds(random(0...8_332))
            machine.perform(at: time) { body(number) }
        }
    }

    private func once(_ body: @escaping @MainActor @Sendable () -> Void) {
        machine.perform(at: Self.frame * random(0...frameCount / 2), body)
    }

    private func storm(_ players: [ScenarioPlayer]) {
        for player in players { eachFrame { _ in player.layer.setNeedsDisplay() } }
    }

    private func begin(_ scenario: Scenario) {
        switch scenario {
        case .storm:
            let draws = [30...30, 1...60][random(0...1)]
            storm((0..<random(1...4)).map { _ in add("storm", draws: draws) })
        case .resize:
            for _ in 0..<random(1...2) {
                let player = add("resized", draws: [5...5, 10...10, 25...25, 80...80][random(0...3)])
                player.mayGrow = true
                let most = Int(Self.side)
                eachFrame { [self] _ in
                    player.layer.size = Size(width: Double(random(1...most)), height: Self.side)
                    player.layer.setNeedsDisplay()
                }
            }
        case .longDraw:
            let player = add("long", draws: 2_000...2_000)
            once { player.layer.display() }
        case .crowd:
            storm((0..<50).map { _ in add("crowd", draws: 1...10) })
            let player = add("static", draws: 1...10)
            once { player.layer.setNeedsDisplay() }
        case .quickDraws:
            let long = add("second", draws: 1_000...1_000)
            let quick = (0..<10).map { _ in add("quick", draws: 1...1) }
            once { for player in [long] + quick { player.layer.setNeedsDisplay() } }
        case .scroll:
            scroll()
        case .group:
            let members = (0..<random(2...5)).map { _ in add("member", draws: 1...20) }
            let group = DisplayGroup(timeLimit: .milliseconds(random(0...50)), host: host)
            for member in members { group.add(member.layer) }
            eachFrame { number in if number % 6 == 0 { group.display { _ in } } }
        case .composition:
            let player = add("composition", draws: 1...10)
            player.partCount = random(1...5)
            player.mayGrow = true
            eachFrame { number in if number % 3 == 0 { player.layer.setNeedsDisplay() } }
        }
    }

    private func scroll() {
        let rowsPerFrame = random(1...6)
        var rows: [ScenarioPlayer] = []
        eachFrame { [self] number in
            for row in rows.prefix(max(0, rows.count - 12)) { row.leave() }
            rows = rows.suffix(12)
            for row in rows where row.tier == .default && number % 2 == 0 { row.move(to: .userInitiated) }
            for index in 0..<rowsPerFrame where number < frameCount - 2 {
                let row = add("row", draws: 1...12, tier: index % 2 == 0 ? .userInitiated : .default)
                row.layer.draft = 0.25
                row.layer.setNeedsDisplay()
                rows.append(row)
            }
        }
    }

    // MARK: What must hold

    func check(_ condition: Bool, _ violation: @autoclosure () -> String) {
        if !condition, violations.count < 5 { violations.append("\(machine.now): \(violation())") }
    }

    /// Nothing more can happen now: is a processor idle that a draw waits for?
    private func checkProcessors() {
        guard machine.idleProcessorCount > 0 else { return }
        check(!machine.hasReadyJobs, "the machine itself leaves a processor idle")
        let budget = host.budget
        // Of those that wait for memory none is overtaken by one that is smaller.
        let most = players.compactMap { $0.layer.pipeline.machine.current?.drawing?.byteCount }.max() ?? 0
        for player in players {
            let pipeline = player.layer.pipeline
            guard let pass = pipeline.machine.current else { continue }
            switch pass.phase {
            case .subscribed(let drawing) where drawing.isWaiting:
                let isShort =
                    budget.waitingCount > 0 && budget.bytesInUse > 0
                    && most > budget.byteLimit - budget.bytesInUse
                check(isShort, "\(player) waits beside an idle processor")
            case .planned:
                check(
                    pipeline.machine.interimCount >= pipeline.pace.drawsAtATime,
                    "\(player) is held back without a draw of its own")
            default: break
            }
        }
    }

    private static var byteCount: Int { Int(Self.side * Self.side) * 4 }
}

/// A layer of a scenario, and its delegate.
@MainActor
final class ScenarioPlayer: AsyncLayerDelegate, CustomStringConvertible {
    let layer: AsyncLayer<RecordingRenderer>
    nonisolated let description: String
    var tier = QoSTier.userInitiated
    /// How many parts it is drawn in; 0 for a picture without parts.
    var partCount = 0
    /// True if it may need more memory than for the draw that it replaces.
    var mayGrow = false
    private(set) var begun = 0
    private(set) var ended: Set<Int> = []
    /// The newest of the layer's own passes that it shows.
    private(set) var shownPass = 0
    private let play: ScenarioPlay
    private let milliseconds: ClosedRange<Int>
    private var generator: SeededGenerator
    private var shown: [String: Int] = [:]
    private var hasShown = false

    init(_ name: String, in play: ScenarioPlay, milliseconds: ClosedRange<Int>, seed: UInt64) {
        description = name
        self.play = play
        self.milliseconds = milliseconds
        generator = SeededGenerator(seed: seed)
        layer = AsyncLayer(renderer: RecordingRenderer(), host: play.host)
        layer.size = Size(width: ScenarioPlay.side, height: ScenarioPlay.side)
        layer.delegate = self
        layer.onContentsChange = { [unowned self] _ in contentsChanged() }
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        begun += 1
        let (number, book, machine, name) = (begun, play.book, play.machine, description)
        let time = Duration.milliseconds(Int.random(in: milliseconds, using: &generator))
        let now = machine.now
        if !hasShown { book.newcomerCame(name, demotionDelay: play.host.demotionDelay, at: now) }
        // After a draft the whole is drawn a tier lower; what grows may wait for more memory.
        let isRefined = layer.contentsGeometry.map { $0.scale < layer.contentsScale } ?? false
        book.requested(name, on: tier, isExcused: isRefined || mayGrow && play.hasLittleMemory, at: now)
        let spend: DisplayTask<RecordingRenderer>.Draw = { _, scope in
            let piece = max(time / 20, .milliseconds(1))
            // As many pixels fewer as a draft has.
            var rest = time * (scope.scale * scope.scale)
            while rest > .zero {
                try scope.checkCancellation()
                machine.spend(min(piece, rest))
                rest -= piece
            }
        }
        let draw: DisplayTask<RecordingRenderer>.Draw = { context, scope in
            context.commands.append("\(name)#\(number)")
            book.drawBegan(name, on: machine.runningTier, job: machine.runningJob, at: machine.now)
            try spend(context, scope)
        }
        let onEnd: @MainActor @Sendable (DisplayOutcome) -> Void = { [self] in passEnded(number, $0) }
        guard partCount > 0 else { return DisplayTask(qos: tier, onEnd: onEnd, draw: draw) }
        let parts = (0..<partCount).map {
            Composition<RecordingRenderer>.Part(size: Size(width: 2, height: 2), draw: $0 == 0 ? draw : spend)
        }
        return DisplayTask(composition: Composition(parts), qos: tier, onEnd: onEnd)
    }

    private func passEnded(_ number: Int, _ outcome: DisplayOutcome) {
        play.check(ended.insert(number).inserted, "\(self): pass \(number) ends twice")
        if case .committed = outcome { hasShown = true }
        if case .committed(true) = outcome, layer.contentsGeometry?.scale == 0.25 { play.draftCount += 1 }
        if number == begun { play.book.forget(description) }
    }

    /// Each picture says which passes of which layers it shows.
    private func contentsChanged() {
        for command in layer.contents?.commands ?? [] {
            let parts = command.split(separator: "#")
            guard parts.count == 2, let number = Int(parts[1]) else { continue }
            let name = String(parts[0])
            play.check(
                number >= shown[name] ?? 0,
                "\(self) shows pass \(number) of \(name) after \(shown[name] ?? 0)")
            shown[name] = number
            if name == description { shownPass = number }
        }
    }

    func move(to tier: QoSTier) {
        self.tier = tier
        play.book.excuse(description)
        layer.qos = tier
    }

    /// The row is out of view: its picture is not wanted any more.
    func leave() {
        layer.cancelDisplay()
        play.book.remove(description)
        hasLeft = true
    }

    private(set) var hasLeft = false
}
