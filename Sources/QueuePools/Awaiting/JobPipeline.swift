import QueuePoolsLocks

/// Stages that work on one input after the other, each as a job of its own tier or pool: one value, bounded
/// over all stages, which an input passes as one job.
///
///     let pictures = try JobPipeline(limit: 8, on: pool, qos: .utility) { (file: String) in try decode(file)
///     }
///         .then(on: pool, qos: .utility, key: "scaling") { try $0.scaled() }
///         .then(on: uploads, qos: .background) { try upload($0) }
///     for try await address in pictures.results(of: files) { print(address) }
///
/// An input is *in* the pipeline from its acceptance until its last stage has ended and `onEnd` has returned.
/// No more inputs than the limit are in it, whichever stages they are in, also between two stages: a stage
/// waits for room in its tier instead of being refused. Each input is one job, whose ``PoolTask`` cancels it
/// in any stage; its stages ask `JobScope.isCancelled`. If a stage of a cancelled input returns
/// nevertheless, the input ends before the next one: with `.cancelled`, `.expired` after its `finishBy`, or
/// `.shutDown` if a shutdown of the stage's pool cancels running jobs. After the last stage it ends with its
/// value. A stage on a ``JobGroup`` puts all
/// inputs into the group, from their start to the end of their last stage: it counts, cancels and awaits
/// them. All stages have the task-local values that the first stage's pool carries. Without keys stages of
/// different inputs overtake each other. *Thread-safe.*
public struct JobPipeline<Input: Sendable, Output: Sendable>: Sendable {
    private let gate: PipelineGate
    private let stages: [PipelineStage]

    private init(gate: PipelineGate, stages: [PipelineStage]) {
        self.gate = gate
        self.stages = stages
    }

    /// Makes a pipeline of one stage.
    ///
    /// - Parameters:
    ///   - limit: how many inputs are in the pipeline at most: 1…2³⁰.
    ///   - pool: runs the stage.
    ///   - qos: the stage's tier. Default: as ``JobSubmitting``'s `start`, at the input's start; of a later
    ///     stage that of the stage before.
    ///   - key: with a key, the stage takes one input at a time, in the order in which they come. Default:
    ///     nil.
    ///   - label: names the stage's jobs for ``QueuePool/activity(of:)`` and ``RunningJob``. Default: nil.
    ///   - transform: the stage.
    /// - Throws: ``PoolError`` (`.invalidCapacity`) for an impossible limit.
    public init<Key: Hashable>(
        limit: Int, on pool: any JobSubmitting, qos: QoSTier? = nil, key: Key? = Int?.none,
        label: String? = nil, _ transform: @escaping @Sendable (Input) throws -> Output
    ) throws(PoolError) {
        try TierCapacities.each(limit).validate()
        self.init(
            gate: PipelineGate(limit: limit, pool: pool),
            stages: [PipelineStage(pool, qos, key?.hashValue, label, transform)])
    }

    /// The same pipeline with another stage at its end, and the limit over all stages.
    ///
    /// - Parameters: as those of the initializer.
    public func then<Key: Hashable, Next: Sendable>(
        on pool: any JobSubmitting, qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        _ transform: @escaping @Sendable (Output) throws -> Next
    ) -> JobPipeline<Input, Next> {
        JobPipeline<Input, Next>(
            gate: gate, stages: stages + [PipelineStage(pool, qos, key?.hashValue, label, transform)])
    }

    /// Starts with an input before it returns, and returns the handle of the last stage's value.
    ///
    /// - Parameters:
    ///   - input: the first stage's input.
    ///   - whenFull: how the call proceeds if as many inputs are in the pipeline as its limit allows; the
    ///     handle is there meanwhile. Default: `.wait`.
    ///   - finishBy: if the last stage has not ended by then, the job ends, or is cancelled if a stage runs.
    ///     Default: nil.
    ///   - onEnd: as ``JobSubmitting``'s `start`. Default: nil.
    /// - Throws: ``PoolError``: `.full`, `.expired`, `.forked`, or `.invalidCapacity` for an impossible
    ///   `whenFull`. If a pool refuses a stage, the handle's value throws that. If a stage throws, the value
    ///   throws its error, and the others do not begin.
    @discardableResult
    public func start(
        _ input: Input, whenFull: FullTierPolicy = .wait, finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Output, any Error>) -> Void)? = nil
    ) throws(PoolError) -> PoolTask<Output> {
        // Before a group's lock, which a thread of the parent may hold.
        guard !isForkedChild else { throw PoolError(.forked, by: gate.subject) }
        let options = JobOptions(
            qos: nil, keyHash: nil, label: nil, whenFull: whenFull, after: nil, at: nil, startBy: nil,
            finishBy: finishBy, isAwaited: false)
        let passage = PipelinePassage(input, stages, gate)
        let outcome = JobOutcome<Output>()
        let job = AwaitedJob(options) { passage.enter() }
        job.continueWith { passage.next { outcome.run { () -> Output in try passage.value() } } }
        if let onEnd { job.tellEnd { error in onEnd(Result { try outcome.get(after: error) }) } }
        job.whenEnded { _, _ in passage.leave() }
        // Each once, also if several stages are on it.
        let groups = stages.compactMap { $0.pool as? JobGroup }
        for group in groups { group.enter(job) }
        do throws(PoolError) {
            try job.submit(to: gate)
        } catch {
            for group in groups { group.leave(job) }
            throw error
        }
        return PoolTask(job, outcome)
    }

    /// Starts with an input in the call, and waits until that is in the pipeline: so a producer is
    /// slowed down to the pipeline's pace.
    ///
    /// - Parameters: as ``start(_:whenFull:finishBy:onEnd:)``.
    /// - Throws: as ``start(_:whenFull:finishBy:onEnd:)``; `CancellationError` if the task was cancelled, and
    ///   so the job.
    @discardableResult
    nonisolated(nonsending) public func startWhenAccepted(
        _ input: Input, whenFull: FullTierPolicy = .wait, finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Output, any Error>) -> Void)? = nil
    ) async throws -> PoolTask<Output> {
        try Task.checkCancellation()
        return try await start(input, whenFull: whenFull, finishBy: finishBy, onEnd: onEnd).accepted()
    }

    /// The values for each input, in the order of the inputs, as a sequence that has at most as many inputs
    /// in the pipeline ahead of its consumer as the limit allows; see ``JobSubmitting``'s `results`.
    public func results<Inputs: Sequence>(of inputs: Inputs) -> PoolResults<Inputs, Output>
    where Inputs.Element == Input {
        PoolResults(inputs: inputs, limit: gate.limit) { input in try start(input) }
    }
}

/// A stage, without its types.
private struct PipelineStage: Sendable {
    let pool: any JobSubmitting
    let qos: QoSTier?
    let keyHash: Int?
    let label: String?
    let transform: @Sendable (any Sendable) throws -> any Sendable

    init<Input: Sendable, Output: Sendable>(
        _ pool: any JobSubmitting, _ qos: QoSTier?, _ keyHash: Int?, _ label: String?,
        _ transform: @escaping @Sendable (Input) throws -> Output
    ) {
        self.pool = pool
        self.qos = qos
        self.keyHash = keyHash
        self.label = label
        // The input is the output of the stage before, whose type the pipeline's initializers match.
        self.transform = { input in try transform(input as! Input) }
    }
}

/// An input on its way through the stages. Belongs to the thread that runs the job, and then to the one that
/// ends it.
private final class PipelinePassage: @unchecked Sendable {
    private let stages: [PipelineStage]
    private let gate: PipelineGate
    private var index = 0
    /// The output of the stage before, or the error that a stage has thrown.
    private var present: Result<any Sendable, any Error>
    private var hasPlace = false

    init(_ input: any Sendable, _ stages: [PipelineStage], _ gate: PipelineGate) {
        present = .success(input)
        self.stages = stages
        self.gate = gate
    }

    func enter() { hasPlace = true }

    /// The next stage. Calls a closure after the last one, or after an error.
    func next(atEnd body: () -> Void) -> JobStage? {
        guard case .success = present, index < stages.count else {
            body()
            return nil
        }
        let stage = stages[index]
        index += 1
        return JobStage(pool: stage.pool, qos: stage.qos, keyHash: stage.keyHash, label: stage.label) {
            [self] in
            present = Result { try stage.transform(try present.get()) }
        }
    }

    func value<Output>() throws -> Output { try present.get() as! Output }

    /// Leaves the pipeline, which lets the next input in.
    func leave() {
        present = .success(())
        if hasPlace { gate.capacity.giveBack() }
    }
}

/// The entrance of a pipeline: a target whose jobs begin at once, and keep their places of its capacity.
private final class PipelineGate: AwaitedJobTarget {
    let limit: Int
    let capacity: JobCapacity
    private let accounting: TierAccounting
    let carrier: TaskLocalCarrier?
    let time: PoolTime

    init(limit: Int, pool: any JobSubmitting) {
        self.limit = limit
        accounting = TierAccounting(.default, capacity: limit, keepsPlaces: true)
        capacity = accounting.capacity!
        carrier = pool.jobTarget?.carrier
        time = pool.jobTarget?.time ?? PoolTime(clock: nil)
    }

    var hasTiers: Bool { false }
    func parallelism(on _: QoSTier) -> Int { limit }
    func waitsForThreadOnly(on _: QoSTier, keyHash _: Int?) -> Bool { false }
    var awaited: AwaitedJobs? { nil }
    var refusalCode: PoolError.Code { .cancelled }
    var subject: PoolError.Subject { .pipeline }

    func accounting(on _: QoSTier) -> TierAccounting? { accounting }

    func place(_ body: @escaping @Sendable () -> Void, at _: JobDestination) -> PoolJob? {
        body()
        return PoolJob(owner: NoJob())
    }

    private final class NoJob: JobOwner {
        func cancel(_: JobPlace) -> Bool { false }
    }
}

extension JobSubmitting {
    /// The pool that jobs are submitted to, also through groups; nil if the program passes them on.
    var jobTarget: (any AwaitedJobTarget)? {
        (self as? JobGroup)?.pool.jobTarget ?? self as? any AwaitedJobTarget
    }
}
