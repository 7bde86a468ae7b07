import AsyncLayers
import Dispatch
import Locks
import QueuePools
import TestSupport

/// A stage full of layers: threads invalidate them at random, while the main actor displays, cancels, resizes
/// and replaces them at random, and counts how their passes end.
@MainActor
final class StressStage {
    typealias Layer = AsyncLayer<RecordingRenderer>

    private(set) var tally = Tally()
    private(set) var replacedLayers = 0
    private let host: DisplayHost
    private var generator: SeededGenerator
    private var players: [Player] = []
    private var witnesses: [Witness] = []
    private let cast = Cast()
    private var target = 0
    private var onTarget: CheckedContinuation<Void, Never>?
    private var onLastOutcome: CheckedContinuation<Void, Never>?

    init(pool: any JobSubmitting, layerCount: Int, seed: UInt64) {
        host = DisplayHost(pool: pool)
        generator = SeededGenerator(seed: seed)
        players = (0..<layerCount).map { _ in makePlayer() }
        cast.layers = players.map(\.layer)
    }

    /// How many of the layers ever made are still alive.
    var livingLayers: Int { witnesses.count { $0.layer != nil } }

    /// Runs until so many passes have begun, then lets the last ones end and drops the layers.
    func run(passes: Int, threads: Int) async {
        target = passes
        let invalidators = DispatchGroup()
        for thread in 0..<threads {
            let seed = generator.next()
            DispatchQueue(label: "invalidator \(thread)").async(group: invalidators) { [cast] in
                cast.invalidate(seed: seed)
            }
        }
        await withCheckedContinuation { onTarget = $0 }
        cast.isStopped = true
        await withCheckedContinuation { done in invalidators.notify(queue: .main) { done.resume() } }

        cast.layers = []
        for player in players { player.layer.cancelDisplay() }
        players = []
        if tally.ended < tally.begun { await withCheckedContinuation { onLastOutcome = $0 } }
        // The last layers say goodbye on the main queue, behind everything that is there now.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    // MARK: What players report

    fileprivate func passBegan() {
        tally.begun += 1
        if tally.begun >= target { onTarget.take()?.resume() }
    }

    fileprivate func passEnded(_ outcome: DisplayOutcome, inOrder: Bool) {
        if !isOnMainQueue() { tally.offMain += 1 }
        switch outcome {
        case .committed:
            tally.committed += 1
            if !inOrder { tally.disorders += 1 }
        case .superseded: tally.superseded += 1
        case .cancelled: tally.cancelled += 1
        case .failed: tally.failed += 1
        }
        if tally.ended == tally.begun { onLastOutcome.take()?.resume() }
    }

    // MARK: Chance

    /// Before each pass something may happen, to its layer or to another one.
    fileprivate func tossCoin(for layer: Layer) -> Int {
        guard !players.isEmpty else { return 0 }
        layer.displaysAsynchronously = generator.next() % 16 != 0
        layer.bounds.size =
            switch generator.next() % 32 {
            case 0: Size(width: .nan, height: 8)
            case 1: .zero
            default: Size(width: 8, height: 8)
            }
        let index = Int(generator.next() % UInt64(players.count))
        switch generator.next() % 64 {
        case 0: players[index].layer.cancelDisplay()
        case 1:
            players[index] = makePlayer()
            cast.layers = players.map(\.layer)
            replacedLayers += 1
        case 2: players[index].layer.display()
        default: break
        }
        return Int(generator.next() % 2_000)
    }

    private func makePlayer() -> Player {
        let player = Player(stage: self, layer: Layer(renderer: RecordingRenderer(), host: host))
        witnesses.append(Witness(layer: player.layer))
        return player
    }

    private struct Witness {
        weak var layer: Layer?
    }
}

/// A layer and its delegate, which numbers the passes and watches that the numbers shown only grow.
@MainActor
private final class Player: AsyncLayerDelegate {
    let layer: StressStage.Layer
    private let stage: StressStage
    private var requested = 0
    private var shown = 0

    init(stage: StressStage, layer: StressStage.Layer) {
        self.stage = stage
        self.layer = layer
        layer.delegate = self
    }

    func displayTask(for layer: StressStage.Layer) -> DisplayTask<RecordingRenderer>? {
        requested += 1
        let number = requested
        return DisplayTask(
            willDisplay: { [stage, weak layer] in
                stage.passBegan()
                if let layer { self.spin = stage.tossCoin(for: layer) }
            },
            didDisplay: { [stage] outcome in
                var inOrder = true
                if case .committed = outcome {
                    inOrder = number > self.shown
                    self.shown = number
                }
                stage.passEnded(outcome, inOrder: inOrder)
            },
            draw: { [spin] context, scope in
                for turn in 0..<spin where turn % 64 == 0 { try scope.checkCancellation() }
                context.commands.append("\(number)")
            })
    }

    /// How long the next draw takes, in turns of its loop.
    private var spin = 0
}

/// The layers on stage, as the invalidating threads see them. *Thread-safe.*
private final class Cast: Sendable {
    private let state = Lock<(layers: [StressStage.Layer], isStopped: Bool)>(([], false))

    var layers: [StressStage.Layer] {
        get { state.withLock { $0.layers } }
        set {
            // The old array is let go outside of the lock: with it may go the last reference to a layer.
            let old = state.withLock { state in
                defer { state.layers = newValue }
                return state.layers
            }
            withExtendedLifetime(old) {}
        }
    }

    var isStopped: Bool {
        get { state.withLock { $0.isStopped } }
        set { state.withLock { $0.isStopped = newValue } }
    }

    /// Invalidates layers at random, in bursts, until stopped.
    func invalidate(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        while !isStopped {
            let layer = state.withLock { state in
                state.layers.isEmpty ? nil : state.layers[Int(generator.next() % UInt64(state.layers.count))]
            }
            for _ in 0...(generator.next() % 3) { layer?.setNeedsDisplay() }
            var pause = generator.next() % 20_000
            while pause > 0 { pause -= 1 }
        }
    }
}
