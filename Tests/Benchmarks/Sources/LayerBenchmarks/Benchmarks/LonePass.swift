import BenchmarkHarness
import CMeasuring

/// What does an asynchronous pass take of the main thread's time when it is alone?
///
/// The main loop sleeps until the picture comes: going to sleep, waking up and finding out why is in every
/// contender's figure, and most of it.
struct LonePass: Benchmark {
    let metrics = [
        Metric(
            "lone-pass", unit: "µs/pass", ours: Roster.ours.name,
            summary:
                "Processor time of the main thread for one pass of one layer with an empty draw, its loop's sleeping and waking included."
        ),
        Metric(
            "lone-pass-sleeps", unit: "sleeps/pass", ours: Roster.ours.name,
            summary: "How often the main thread goes to sleep for such a pass; each is a wake-up."),
        Metric(
            "lone-pass-time", unit: "µs", ours: Roster.ours.name,
            summary: "How long such a pass takes, from the invalidation until the picture is shown."),
    ]

    let plan = Plan(rounds: (3, 15))

    let trials = [Roster.ours, Roster.flushed, Roster.displayed, Roster.yyAsyncLayer, Roster.byHand].map {
        kind in
        Trial(kind) { host, scale in try measure(host, passes: scale.pick(quick: 200, full: 1_000)) }
    }

    @MainActor
    static func measure(_ host: any LayerHost, passes: Int) throws -> [Reading] {
        let source = EmptyDraws()
        let layer = host.makeLayer(source)
        let (start, sleeps) = (Clock.threadTime, measuring_thread_sleeps())
        var times: [Double] = []
        times.reserveCapacity(passes)
        for _ in 0..<passes {
            source.number += 1
            let began = Clock.now
            layer.invalidate()
            host.endTurn()
            repeat {
                MainLoop.handleNext()
                guard Clock.now - began < 10_000_000_000 else {
                    throw MeasuringError("a pass did not end within 10 s")
                }
            } while layer.picture?.number != source.number
            times.append(Double(Clock.now - began) / 1_000)
        }
        let used = Double(Clock.threadTime - start) / 1_000
        let slept = Double(measuring_thread_sleeps() - sleeps)
        MainLoop.settle()
        return [
            Reading(used / Double(passes)), Reading(slept / Double(passes)), Reading(samples: times),
        ]
    }
}
