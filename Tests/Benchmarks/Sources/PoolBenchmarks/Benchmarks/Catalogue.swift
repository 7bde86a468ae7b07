import BenchmarkHarness

/// All benchmarks, in the order in which they run and are reported.
enum Catalogue {
    static let all: [any Benchmark] =
        [
            QueueSelection.oneThread, QueueSelection.contended,
            EmptyJob.oneProducer, EmptyJob.fourProducersFourTiers, StickyKeys(), EmptyJob.task,
            WakeUp.warm, WakeUp.busy, WakeUp.afterIdle,
            LatencyUnderLoad(), ProcessorShare(),
            SyncIdle(), AwaitedWork.actorHop, AwaitedWork.runValue, RunFromMainActor(), AwaitedBackground(),
            BlockingMix(), BlockingCalls.warm, BlockingCalls.cold, UnevenJobs(), Overload.refusal,
            Overload.memory, AdmissionOverload(), CancelWaiting(), CancelCheck(), DelayedStart(),
            CarriedContext(), ManyQueues(),
        ] + ParallelLoop.all + Growth.withQueues + Growth.withProducers
}
