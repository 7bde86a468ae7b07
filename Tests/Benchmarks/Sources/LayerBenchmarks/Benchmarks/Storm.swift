import BenchmarkHarness
import Synchronization

/// What do layers show that are invalidated faster than they can be drawn?
struct Storm: Benchmark {
    /// What a draw computes, in pieces between which it looks whether it is still wanted.
    private static let drawMilliseconds = 30.0

    let metrics = [
        Metric(
            "storm-pictures", unit: "pictures/s", better: .higher, ours: Roster.ours.name,
            summary:
                "One layer for each worker, with draws of 30 ms, all invalidated at 120 Hz: new pictures a second, of the layer that shows the fewest. Bar: 8."
        ),
        Metric(
            "storm-gap", unit: "ms", ours: Roster.ours.name,
            summary: "In the same storm: the longest time for which a layer showed nothing new."),
        Metric(
            "storm-age", unit: "ms", ours: Roster.ours.name,
            summary: "In the same storm: how old the state is that the layers show, at each frame."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [Roster.ours, Roster.original, Roster.byHand].map { kind in
        Trial(kind) { host, scale in
            measure(host, layers: scale.workers, frames: FrameTicks.hertz * scale.pick(quick: 1, full: 3))
        }
    }

    @MainActor
    private static func measure(_ host: any LayerHost, layers: Int, frames: Int) -> [Reading] {
        let end = EndOfStorm()
        let subjects = (0..<layers).map { _ in Subject(host: host, end: end) }
        let start = Clock.now
        var ages: [Double] = []
        _ = MainLoop.runFrames(
            frames, host: host,
            begin: { _, time in
                for subject in subjects { subject.invalidate(at: time) }
            },
            end: { now in
                for subject in subjects { ages.append(subject.look(at: now, start)) }
            })
        let over = Clock.now
        end.come()
        for subject in subjects { subject.layer.leaveView() }
        MainLoop.settle()
        let seconds = Double(over - start) / 1e9
        return [
            Reading(Double(subjects.map(\.pictures).min() ?? 0) / seconds),
            Reading((subjects.map { $0.longestGap(from: start, to: over) }.max() ?? 0) / 1e6),
            Reading(samples: ages),
        ]
    }

    /// A layer in the storm. What it draws bears the number of the frame whose state it is.
    @MainActor
    private final class Subject: DrawSource {
        private(set) lazy var layer = host.makeLayer(UnownedSource(self))
        private(set) var pictures = 0
        private let host: any LayerHost
        private let end: EndOfStorm
        private var times: [UInt64] = []
        private var shown: Int?
        private var changes: [UInt64] = []

        init(host: any LayerHost, end: EndOfStorm) {
            self.host = host
            self.end = end
        }

        func invalidate(at time: UInt64) {
            times.append(time)
            layer.invalidate()
        }

        /// Looks at what the layer shows, as the display would; tells how old that is, in milliseconds.
        func look(at now: UInt64, _ start: UInt64) -> Double {
            let number = layer.picture?.number
            if number != shown {
                shown = number
                pictures += 1
                changes.append(now)
            }
            let state = number.map { times[$0] } ?? start
            return Double(now - min(state, now)) / 1e6
        }

        func longestGap(from start: UInt64, to end: UInt64) -> Double {
            let times = [start] + changes + [end]
            return zip(times, times.dropFirst()).map { Double($1 - $0) }.max() ?? 0
        }

        func nextDraw() -> Draw {
            Draw(number: times.count - 1) { [end] isCancelled in
                Work.compute(milliseconds: Storm.drawMilliseconds) { isCancelled() || end.hasCome }
            }
        }
    }

    /// Lets what waits on queues when the storm is over end at once.
    private final class EndOfStorm: Sendable {
        private let isOver = Atomic(false)

        var hasCome: Bool { isOver.load(ordering: .relaxed) }
        func come() { isOver.store(true, ordering: .relaxed) }
    }
}
