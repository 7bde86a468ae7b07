/// Decides the outcome of each display pass of one layer. Events go in, actions come out; it knows no queue,
/// no clock, no lock and no picture, so every rule can be tested by enumeration. It is the only record of the
/// passes in flight.
///
/// - **Exactly one outcome.** A pass is in flight from ``Event/began(_:previous:)`` to its one
///   ``Action/end(_:_:)``, which removes it; events about a pass that is not in flight do nothing.
/// - **Monotonic.** Passes are numbered in the order in which their tasks were requested. A pass that
///   finishes is committed only if its number is above that of the last one committed.
/// - **What waits is replaced.** A newer pass ends one that has not begun to be drawn.
/// - **What has begun is finished, when that pays.** It is decided about once, when a newer pass begins. It
///   is stopped if that is worthwhile (``DrawPace``) and a picture has been shown since the last draw that
///   was stopped, so at most one draw is stopped for each picture shown. Otherwise it is finished and shown
///   as an interim picture. How many interim draws there may be beside the newest is ``DrawPace``'s; where
///   there are as many, the newest waits for one to end.
/// - A cancellation stops everything.
struct DisplayStateMachine<Pass: DisplayPass> {
    enum Event {
        /// A pass begins, the newest so far, with the state of the one before it.
        case began(Pass, previous: Previous)
        /// The picture of the current pass waits for its group, and is stale; a newer pass will come.
        case invalidated
        /// The passes in flight are no longer wanted, and no other will come instead.
        case cancelled
        /// A pass stopped, or was taken off its place, at this stage.
        case stopped(Pass, DisplayStage)
        /// A pass has its picture.
        case finished(Pass)
        /// A pass has met an error.
        case failed(Pass, any Error)
    }

    /// The state of the current pass when a new one begins.
    enum Previous: Hashable, Sendable {
        /// It can end at this stage without wasting a drawing that is not lost already: it waited, it shares
        /// the draw of another layer, or its picture waits for a group.
        case droppable(DisplayStage)
        /// It is being drawn.
        case drawing(isStoppingWorthwhile: Bool)
    }

    enum Action {
        /// Stop the pass, and report ``Event/stopped(_:_:)`` when it has.
        case stop(Pass)
        /// The pass may be drawn now: one before it has ended. Nothing to do for one that is drawn, or needs
        /// no drawing.
        case start(Pass)
        /// Report the outcome, and for `.committed` show the picture; the pass is over.
        case end(Pass, DisplayOutcome)
    }

    fileprivate enum Standing: Hashable, Sendable {
        /// The newest pass; what it draws is wanted.
        case current
        /// Stale, but finished, so that the layer shows something.
        case interim
        /// Made stale by a newer request.
        case superseded
        /// Made stale by a cancellation.
        case cancelled
    }

    fileprivate struct Entry {
        let pass: Pass
        var standing: Standing
    }

    /// The newest pass begun so far; 0 before the first.
    private(set) var newest: UInt64 = 0

    /// The newest pass committed so far; 0 before the first.
    private(set) var shown: UInt64 = 0

    /// True if a picture was shown since a draw was last stopped for a newer request.
    private(set) var mayStop = false

    /// Passes that began and have not ended, oldest first. Few: all but the newest are ending.
    private var inFlight = ShortList<Entry>()

    /// True when every pass that began has ended.
    var isIdle: Bool { inFlight.isEmpty }

    /// True while nothing has made a pass stale.
    func isCurrent(_ pass: Pass) -> Bool {
        index(of: pass).map { inFlight[$0].standing == .current } ?? false
    }

    /// The pass that nothing has made stale; a newer one replaces it.
    var current: Pass? { currentIndex.map { inFlight[$0].pass } }

    /// How many stale draws are being finished.
    var interimCount: Int { inFlight.indices.count { inFlight[$0].standing == .interim } }

    /// The passes in flight, oldest first.
    var passes: [Pass] { inFlight.map(\.pass) }

    mutating func handle(_ event: Event) -> DisplayActions<Pass> {
        switch event {
        case .began(let pass, let previous):
            newest = pass.number
            let actions = supersede(previous)
            inFlight.append(Entry(pass: pass, standing: .current))
            return actions
        case .invalidated:
            return mark(.superseded) { $0 == .current }
        case .cancelled:
            return mark(.cancelled) { $0 == .current || $0 == .interim }
        case .stopped(let pass, let stage):
            return end(pass) { $0 == .cancelled ? .cancelled(stage) : .superseded(stage) }
        case .failed(let pass, let error):
            return end(pass) { _ in .failed(error) }
        case .finished(let pass):
            return finish(pass)
        }
    }

    private var currentIndex: Int? { inFlight.indices.last { inFlight[$0].standing == .current } }

    /// In a loop, since a closure would ask each time whether it is on the main actor.
    private func index(of pass: Pass) -> Int? {
        for index in inFlight.indices.reversed() where inFlight[index].pass.number == pass.number {
            return index
        }
        return nil
    }

    /// Decides about the current pass, if there is one, since a newer pass begins.
    private mutating func supersede(_ previous: Previous) -> DisplayActions<Pass> {
        guard let index = currentIndex else { return DisplayActions() }
        switch previous {
        case .droppable(let stage):
            return DisplayActions(.end(inFlight.remove(at: index).pass, .superseded(stage)))
        case .drawing(let isStoppingWorthwhile):
            guard isStoppingWorthwhile, mayStop else {
                inFlight[index].standing = .interim
                return DisplayActions()
            }
            mayStop = false
            inFlight[index].standing = .superseded
            return DisplayActions(.stop(inFlight[index].pass))
        }
    }

    private mutating func finish(_ pass: Pass) -> DisplayActions<Pass> {
        guard let index = index(of: pass) else { return DisplayActions() }
        let isNewer = pass.number > shown
        switch inFlight[index].standing {
        case .current where isNewer, .interim where isNewer:
            let isInterim = inFlight[index].standing == .interim
            shown = pass.number
            mayStop = true
            var actions = end(at: index, .committed(isInterim: isInterim))
            stopOvertaken(&actions)
            return actions
        case .cancelled: return end(at: index, .cancelled(.committing))
        default: return end(at: index, .superseded(.committing))
        }
    }

    /// Stops an interim pass that is older than what is shown: it will never be seen.
    private mutating func stopOvertaken(_ actions: inout DisplayActions<Pass>) {
        for index in inFlight.indices
        where inFlight[index].standing == .interim && inFlight[index].pass.number < shown {
            inFlight[index].standing = .superseded
            actions.append(.stop(inFlight[index].pass))
            if let current { actions.append(.start(current)) }
        }
    }

    /// Makes passes of some standings stale, and stops them.
    private mutating func mark(_ standing: Standing, _ isMeant: (Standing) -> Bool) -> DisplayActions<Pass> {
        var actions = DisplayActions<Pass>()
        for index in inFlight.indices where isMeant(inFlight[index].standing) {
            inFlight[index].standing = standing
            actions.append(.stop(inFlight[index].pass))
        }
        return actions
    }

    private mutating func end(
        _ pass: Pass, _ outcome: (Standing) -> DisplayOutcome
    ) -> DisplayActions<Pass> {
        guard let index = index(of: pass) else { return DisplayActions() }
        return end(at: index, outcome(inFlight[index].standing))
    }

    /// Removes a pass, and lets the current one be drawn if it waited for this end.
    private mutating func end(at index: Int, _ outcome: DisplayOutcome) -> DisplayActions<Pass> {
        let ended = inFlight.remove(at: index)
        var actions = DisplayActions<Pass>(.end(ended.pass, outcome))
        if ended.standing == .interim, let current { actions.append(.start(current)) }
        return actions
    }
}

/// A pass, as a ``DisplayStateMachine`` knows it.
protocol DisplayPass {
    /// Higher is newer, never 0, never used twice in a layer.
    var number: UInt64 { get }
}

extension DisplayStateMachine.Entry: Equatable where Pass: Equatable {}
extension DisplayStateMachine.Entry: Hashable where Pass: Hashable {}
extension DisplayStateMachine: Equatable where Pass: Equatable {}
extension DisplayStateMachine: Hashable where Pass: Hashable {}

/// The actions that a ``DisplayStateMachine`` returns, in order.
typealias DisplayActions<Pass: DisplayPass> = ShortList<DisplayStateMachine<Pass>.Action>
