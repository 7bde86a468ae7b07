import BenchmarkHarness
import Synchronization

/// What do layers show that are invalidated faster than they can be drawn?
struct Storm: Benchmark {
    let metrics: [Metric]
    let plan = Plan(rounds: (1, 5), warmsUp: false)
    let trials: [Trial]

    /// One layer for each worker.
    static let everywhere = Storm(
        metrics: [
            metric(
                "storm-pictures", "pictures/s", .higher,
                """
                One layer for each worker, with draws of 30 ms, all invalidated at 120 Hz: new pictures a second, of the \
                layer that shows the fewest. Bar: 28.
                """),
            metric(
                "storm-gap", "ms", .lower,
                "In the same storm: the longest time for which a layer showed nothing new."),
            metric(
                "storm-age", "ms", .lower,
                "In the same storm: how old the state is that the layers show, at each frame. Bar: 50, p99 90."
            ),
            metric(
                "storm-unshown", "%", .lower,
                "In the same storm: the part of the draws' processor time that went into pictures never shown. Bar: 10."
            ),
        ],
        trials: [Roster.ours, Roster.yyAsyncLayer, Roster.byHand].map { kind in
            Trial(kind) { host, scale in
                let course = Course(
                    host, layers: scale.workers, milliseconds: 30,
                    frames: scale.pick(quick: FrameTicks.hertz / 2, full: 3 * FrameTicks.hertz))
                return [course.pictures, course.gap, course.ages, course.unshown]
            }
        })

    /// One layer, while another one has a worker for itself.
    static let besideLongDraw = Storm(
        metrics: [
            metric(
                "storm-beside-long-draw", "ms", .lower,
                """
                A layer with draws of 10 ms is invalidated at 120 Hz, while another one draws for 2 s: the longest time for \
                which it showed nothing new. Bar: 60.
                """)
        ],
        trials: [Roster.ours, Roster.yyAsyncLayer, Roster.byHand].map { kind in
            Trial(kind) { host, scale in
                [Course(host, layers: 1, milliseconds: 10, frames: 2 * FrameTicks.hertz, longDraw: 2_000).gap]
            }
        })

    /// A window that is resized.
    static let resize = Storm(
        metrics: resizeDraws.map { draw in
            metric(
                "resize-\(Int(draw.milliseconds))", "pictures/s", .higher,
                """
                A layer that is resized at 120 Hz, with draws of \(Int(draw.milliseconds)) ms: new pictures a second. \
                Bar: \(draw.bar).
                """)
        },
        trials: [Roster.ours, Roster.yyAsyncLayer, Roster.byHand].map { kind in
            Trial(kind) { host, scale in
                resizeDraws.map { draw in
                    Course(
                        host, layers: 1, milliseconds: draw.milliseconds,
                        frames: scale.pick(quick: FrameTicks.hertz / 2, full: 2 * FrameTicks.hertz)
                    ).pictures
                }
            }
        })

    private static let resizeDraws: [(milliseconds: Double, bar: Int)] = [
        (5, 110), (10, 90), (25, 35), (80, 11),
    ]

    private static func metric(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ summary: String
    ) -> Metric {
        Metric(name, unit: unit, better: better, ours: Roster.ours.name, summary: summary)
    }

    /// One storm, and what it showed.
    @MainActor
    private struct Course {
        let pictures: Reading
        let gap: Reading
        let ages: Reading
        let unshown: Reading

        /// - Parameter longDraw: how long another layer draws meanwhile, in milliseconds.
        init(_ host: any LayerHost, layers: Int, milliseconds: Double, frames: Int, longDraw: Double? = nil) {
            let (end, counters) = (EndOfStorm(), DrawCounters())
            let subjects = (0..<layers).map { index in
                Subject(index, host: host) {
                    counters.makeDraw(of: index, milliseconds: milliseconds, until: end)
                }
            }
            let other = longDraw.map { milliseconds in
                Subject(layers, host: host) {
                    counters.makeDraw(of: layers, milliseconds: milliseconds, until: end)
                }
            }
            let start = Clock.now
            other?.invalidate(at: start)
            var ages: [Double] = []
            _ = MainLoop.runFrames(
                frames, host: host,
                begin: { _, time in
                    for subject in subjects { subject.invalidate(at: time) }
                },
                end: { now in
                    for subject in subjects { ages.append(subject.look(at: now, start, counters)) }
                })
            let over = Clock.now
            unshown = Reading(counters.unshownPercentage)
            end.come()
            for subject in subjects { subject.layer.leaveView() }
            other?.layer.leaveView()
            MainLoop.settle()
            pictures = Reading(Double(subjects.map(\.pictures).min() ?? 0) / (Double(over - start) / 1e9))
            gap = Reading((subjects.map { $0.longestGap(from: start, to: over) }.max() ?? 0) / 1e6)
            self.ages = Reading(samples: ages)
        }
    }

    /// A layer in the storm.
    @MainActor
    private final class Subject: DrawSource {
        private(set) lazy var layer = host.makeLayer(UnownedSource(self))
        private(set) var pictures = 0
        private let index: Int
        private let host: any LayerHost
        private let makeDraw: @MainActor () -> Draw
        private var time: UInt64 = 0
        /// The times of the states that are drawn, by the pictures' numbers.
        private var times: [Int: UInt64] = [:]
        private var shown: Int?
        private var changes: [UInt64] = []

        init(_ index: Int, host: any LayerHost, makeDraw: @escaping @MainActor () -> Draw) {
            self.index = index
            self.host = host
            self.makeDraw = makeDraw
        }

        func invalidate(at time: UInt64) {
            self.time = time
            layer.invalidate()
        }

        /// Looks at what the layer shows, as the display would; tells how old that is, in milliseconds.
        func look(at now: UInt64, _ start: UInt64, _ counters: DrawCounters) -> Double {
            let picture = layer.picture
            if picture?.number != shown {
                shown = picture?.number
                pictures += 1
                changes.append(now)
                _ = counters.show(picture, as: index)
            }
            let state = shown.flatMap { times[$0] } ?? start
            return Double(now - min(state, now)) / 1e6
        }

        func longestGap(from start: UInt64, to end: UInt64) -> Double {
            let times = [start] + changes + [end]
            return zip(times, times.dropFirst()).map { Double($1 - $0) }.max() ?? 0
        }

        func nextDraw() -> Draw {
            let draw = makeDraw()
            times[draw.number] = time
            return draw
        }
    }
}

/// Lets what waits on queues when the storm is over end at once.
final class EndOfStorm: Sendable {
    private let isOver = Atomic(false)

    var hasCome: Bool { isOver.load(ordering: .relaxed) }
    func come() { isOver.store(true, ordering: .relaxed) }
}
