/// Decides what becomes of each display pass of one layer. Events go in, actions come out; it knows no queue,
/// no clock, no lock and no picture, so every rule can be tested here by enumeration.
///
/// - **Exactly one outcome.** A pass is in flight from ``Event/began(_:isSynchronous:isOverdue:)`` to its one
///   ``Action/end(_:_:)``, which takes it out of the books; events about a pass that is not in flight do
///   nothing.
/// - **Monotonic.** Passes are numbered in the order in which their tasks were asked for. A pass that
///   finishes is committed only if its number is above that of the last one committed.
/// - **Stale work stops.** A newer pass, an invalidation or a cancellation marks the passes in flight, once,
///   and asks that they be stopped. A pass so marked never commits. Synchronous passes cannot be marked:
///   their caller waits for the picture.
/// - **Forward progress.** Where stopping would leave the layer out of date for too long (``Freshness`` says
///   when), the current pass is finished and committed all the same, as an interim one: one at a time, and
///   only a cancellation stops it, or a newer picture that is there before it.
struct DisplayStateMachine: Hashable, Sendable {
    /// A pass's number: higher is newer, never 0, never used twice.
    typealias Pass = UInt64

    enum Event: Hashable, Sendable {
        /// A pass begins. It makes all earlier ones stale. It is stale itself if a newer one began before it,
        /// from within its own preparations.
        case began(Pass, isSynchronous: Bool, isOverdue: Bool)
        /// What the passes in flight draw is no longer wanted; a newer pass will come.
        case invalidated(isOverdue: Bool)
        /// What the passes in flight draw is no longer wanted, and nothing will come instead.
        case cancelled
        /// A pass was taken off its queue, as asked, before it started.
        case dequeued(Pass)
        /// A pass noticed by itself that it is stale and stopped.
        case stopped(Pass, DisplayStage)
        /// A pass has its picture.
        case finished(Pass)
        /// A pass has met an error.
        case failed(Pass)
    }

    enum Action: Hashable, Sendable {
        /// Stop the pass. If it has not started, take it off its queue and say ``Event/dequeued(_:)``.
        case stop(Pass)
        /// Let the pass draw to its end, though it is stale.
        case keep(Pass)
        /// Report the outcome, and for `.committed` show the picture; the pass is over.
        case end(Pass, Ending)
    }

    enum Ending: Hashable, Sendable {
        case committed(isInterim: Bool)
        case superseded(DisplayStage)
        case cancelled(DisplayStage)
        case failed
    }

    private enum Standing: Hashable, Sendable {
        /// The newest pass; what it draws is wanted.
        case current
        /// Drawn on the main actor while its caller waits: wanted whatever happens meanwhile.
        case synchronous
        /// Stale, and finished all the same, so that the layer shows something.
        case interim
        /// Made stale by a newer request.
        case superseded
        /// Made stale by a cancellation.
        case cancelled

        func ending(isNewest: Bool) -> Ending {
            switch self {
            case .current where isNewest, .synchronous where isNewest: .committed(isInterim: false)
            case .interim where isNewest: .committed(isInterim: true)
            default: staleEnding(at: .committing)
            }
        }

        func staleEnding(at stage: DisplayStage) -> Ending {
            self == .cancelled ? .cancelled(stage) : .superseded(stage)
        }
    }

    private struct Entry: Hashable, Sendable {
        let pass: Pass
        var standing: Standing
    }

    /// The newest pass begun so far; 0 before the first.
    private(set) var newest: Pass = 0

    /// The newest pass committed so far; 0 before the first.
    private(set) var shown: Pass = 0

    /// Passes that began and have not ended, oldest first. Few: all but the newest are on their way out.
    private var inFlight: [Entry] = []

    /// True when every pass that began has ended.
    var isIdle: Bool { inFlight.isEmpty }

    /// True when a pass began and has not ended.
    func isInFlight(_ pass: Pass) -> Bool { inFlight.contains { $0.pass == pass } }

    /// True while nothing has made a pass stale.
    func isCurrent(_ pass: Pass) -> Bool {
        inFlight.contains { $0.pass == pass && ($0.standing == .current || $0.standing == .synchronous) }
    }

    /// The newest pass of those that nothing has made stale.
    var current: Pass? {
        inFlight.last { $0.standing == .current || $0.standing == .synchronous }?.pass
    }

    /// True while an interim pass is drawn and a newer one has already been begun beside it. A layer that is
    /// invalidated once more then had better wait for the interim picture: a third pass would only take
    /// processor time from the first.
    var isCatchingUp: Bool { inFlight.contains { $0.standing == .interim && $0.pass < newest } }

    mutating func handle(_ event: Event) -> DisplayActions {
        switch event {
        case .began(let pass, let isSynchronous, let isOverdue):
            guard pass > newest else { return DisplayActions(.end(pass, .superseded(.waiting))) }
            newest = pass
            let actions = supersede(isOverdue: isOverdue)
            inFlight.append(Entry(pass: pass, standing: isSynchronous ? .synchronous : .current))
            return actions
        case .invalidated(let isOverdue):
            return supersede(isOverdue: isOverdue)
        case .cancelled:
            return mark(.cancelled, { $0 == .current || $0 == .interim }) { .stop($0) }
        case .dequeued(let pass):
            return end(pass) { $0.staleEnding(at: .waiting) }
        case .stopped(let pass, let stage):
            return end(pass) { $0.staleEnding(at: stage) }
        case .failed(let pass):
            return end(pass) { _ in .failed }
        case .finished(let pass):
            let isNewest = pass > shown
            var actions = end(pass) { $0.ending(isNewest: isNewest) }
            if case .end(_, .committed)? = actions.first {
                shown = pass
                stopOvertaken(&actions)
            }
            return actions
        }
    }

    /// Makes the current pass stale, if there is one: an interim pass if time presses and there is none yet.
    private mutating func supersede(isOverdue: Bool) -> DisplayActions {
        if isOverdue, !inFlight.contains(where: { $0.standing == .interim }) {
            return mark(.interim, { $0 == .current }) { .keep($0) }
        }
        return mark(.superseded, { $0 == .current }) { .stop($0) }
    }

    /// Stops the interim pass if it is older than what is shown: nobody will see it, and the next one would wait.
    private mutating func stopOvertaken(_ actions: inout DisplayActions) {
        for index in inFlight.indices
        where inFlight[index].standing == .interim && inFlight[index].pass < shown {
            inFlight[index].standing = .superseded
            actions.append(.stop(inFlight[index].pass))
        }
    }

    /// Gives passes of some standing another one, each with an action.
    private mutating func mark(
        _ standing: Standing, _ isMeant: (Standing) -> Bool, _ action: (Pass) -> Action
    ) -> DisplayActions {
        var actions = DisplayActions()
        for index in inFlight.indices where isMeant(inFlight[index].standing) {
            inFlight[index].standing = standing
            actions.append(action(inFlight[index].pass))
        }
        return actions
    }

    private mutating func end(_ pass: Pass, _ ending: (Standing) -> Ending) -> DisplayActions {
        guard let index = inFlight.firstIndex(where: { $0.pass == pass }) else { return DisplayActions() }
        return DisplayActions(.end(pass, ending(inFlight.remove(at: index).standing)))
    }
}
