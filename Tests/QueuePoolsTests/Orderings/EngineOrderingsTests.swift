import Testing

@Suite("The orderings of the engine's other parts", .timeLimit(.minutes(15)))
struct EngineOrderingsTests {
    private func fails(_ program: Program) -> Bool { (try? program.explore()) == nil }

    // MARK: Calls of sync

    typealias Call = SyncCallOrderings

    private static let calls: [[Call.Action]] = [
        [.makeReady], [.grant], [.requestLook, .makeReady], [.requestLook, .grant],
    ]

    @Test("a caller of sync gets the queue, granted or ready, and what its holder wrote", arguments: calls)
    func callers(others: [Call.Action]) throws {
        _ = try Call(others, Orderings()).program.explore()
    }

    @Test(
        "weakened, each of a call's accesses has it sleep forever, or races",
        arguments: Orderings<Call.Site>.weakenings)
    func callersWeakened(_ weakening: Orderings<Call.Site>.Weakening) {
        let other: Call.Action = [.grant, .lookAtGrant].contains(weakening.site) ? .grant : .makeReady
        #expect(fails(Call([other], Orderings(weakening: weakening)).program))
    }

    // MARK: Claims

    @Test("one of several takes a queue whose holder looks, with what was written there")
    func claims() throws {
        _ = try ClaimOrderings(Orderings()).program.explore()
    }

    @Test("weakened, each of a claim's accesses races", arguments: Orderings<ClaimOrderings.Site>.weakenings)
    func claimsWeakened(_ weakening: Orderings<ClaimOrderings.Site>.Weakening) {
        #expect(fails(ClaimOrderings(Orderings(weakening: weakening)).program))
    }

    // MARK: Due jobs

    @Test("each due job is taken once, as it was appended")
    func dueJobs() throws {
        _ = try DueJobsOrderings(jobs: 2, Orderings()).program.explore()
    }

    @Test(
        "weakened, each access of the list of due jobs races",
        arguments: Orderings<DueJobsOrderings.Site>.weakenings)
    func dueJobsWeakened(_ weakening: Orderings<DueJobsOrderings.Site>.Weakening) {
        #expect(fails(DueJobsOrderings(jobs: 2, Orderings(weakening: weakening)).program))
    }

    // MARK: Closing

    @Test("that a lane is drained is reported once, after all jobs", arguments: 1...2)
    func closing(jobs: Int) throws {
        _ = try ClosingOrderings(jobs: jobs, Orderings()).program.explore()
    }

    @Test(
        "weakened, each access of the closing leaves it unreported",
        arguments: Orderings<ClosingOrderings.Site>.weakenings)
    func closingWeakened(_ weakening: Orderings<ClosingOrderings.Site>.Weakening) {
        #expect(fails(ClosingOrderings(jobs: 1, Orderings(weakening: weakening)).program))
    }

    typealias DelayedClosing = DelayedClosingOrderings

    @Test("a delayed job comes before the closing, or is refused")
    func delayedClosing() throws {
        _ = try DelayedClosing(Orderings()).program.explore()
    }

    @Test(
        "weakened, each access has a delayed job accepted that the closing does not cancel",
        arguments: Orderings<DelayedClosing.Site>.weakenings)
    func delayedClosingWeakened(_ weakening: Orderings<DelayedClosing.Site>.Weakening) {
        #expect(fails(DelayedClosing(Orderings(weakening: weakening)).program))
    }

    // MARK: Ends of threads

    typealias Ending = EndingOrderings

    @Test("the joiner of a retired group sees what each thread did", arguments: Ending.Case.allCases)
    func ends(_ program: Ending.Case) throws {
        _ = try Ending(program, Orderings()).program.explore()
    }

    @Test("weakened, each access of the ends races", arguments: Orderings<Ending.Site>.weakenings)
    func endsWeakened(_ weakening: Orderings<Ending.Site>.Weakening) {
        let program: Ending.Case =
            switch weakening.site {
            case .leaveHandle: .two
            case .takeHandle: .oneIsLate
            case .countEnd, .lookAtCount: .oneIsDetached
            }
        #expect(fails(Ending(program, Orderings(weakening: weakening)).program))
    }

    typealias LateStart = LateStartOrderings

    @Test("a thread that is made while its group retires is waited for")
    func lateStart() throws {
        _ = try LateStart(Orderings()).program.explore()
    }

    @Test(
        "weakened, each access of a late start leaves a thread behind",
        arguments: Orderings<LateStart.Site>.weakenings)
    func lateStartWeakened(_ weakening: Orderings<LateStart.Site>.Weakening) {
        #expect(fails(LateStart(Orderings(weakening: weakening)).program))
    }

    // MARK: Looking on

    @Test("a job that waits has no older time than its own")
    func looking() throws {
        _ = try RecordOrderings.waiting(Orderings()).explore()
    }

    @Test(
        "weakened, each access of those that look on shows another job's time",
        arguments: Orderings<RecordOrderings.Site>.weakenings)
    func lookingWeakened(_ weakening: Orderings<RecordOrderings.Site>.Weakening) {
        #expect(fails(RecordOrderings.waiting(Orderings(weakening: weakening))))
    }

    // MARK: The supervisor

    typealias Waking = SupervisorOrderings.Waking
    typealias Watching = SupervisorOrderings.Watching
    typealias Taking = SupervisorOrderings.Taking
    typealias LongJobs = SupervisorOrderings.LongJobs

    @Test("the supervisor is woken for each request, watches what threads keep and run, and takes it whole")
    func supervisor() throws {
        _ = try LongJobs(Orderings()).program.explore()
        _ = try Waking(Orderings()).program.explore()
        _ = try Watching(Orderings()).program.explore()
        _ = try Taking(Orderings()).program.explore()
    }

    @Test("weakened, each access has it woken for nothing", arguments: Orderings<Waking.Site>.weakenings)
    func wakingWeakened(_ weakening: Orderings<Waking.Site>.Weakening) {
        #expect(fails(Waking(Orderings(weakening: weakening)).program))
    }

    @Test(
        "weakened, each access leaves what a thread keeps unwatched, or races",
        arguments: Orderings<Watching.Site>.weakenings)
    func watchingWeakened(_ weakening: Orderings<Watching.Site>.Weakening) {
        #expect(fails(Watching(Orderings(weakening: weakening)).program))
    }

    @Test(
        "weakened, each access leaves a job unwatched that may become long, or races",
        arguments: Orderings<LongJobs.Site>.weakenings)
    func longJobsWeakened(_ weakening: Orderings<LongJobs.Site>.Weakening) {
        #expect(fails(LongJobs(Orderings(weakening: weakening)).program))
    }

    @Test("weakened, each access of what is kept races", arguments: Orderings<Taking.Site>.weakenings)
    func takingWeakened(_ weakening: Orderings<Taking.Site>.Weakening) {
        #expect(fails(Taking(Orderings(weakening: weakening)).program))
    }
}
