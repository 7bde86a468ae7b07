/// Decides what becomes of each display pass of one layer. Events go in, actions come out; it knows no queue,
/// no clock, no lock and no picture, so every rule can be tested here by enumeration.
///
/// - **Exactly one outcome.** A pass is in flight from ``Event/began(_:isSynchronous:)`` to its one
///   ``Action/end(_:_:)``, which takes it out of the books; events about a pass that is not in flight do
///   nothing.
/// - **Monotonic.** Passes are numbered in the order in which their tasks were asked for. A pass that
///   finishes is committed only if its number is above that of the last one committed.
/// - **Stale work stops.** A newer pass, an invalidation or a cancellation marks the passes in flight, once,
///   and asks that they be taken off their queue. A marked pass never commits. Synchronous passes cannot be
///   marked: their caller waits for the picture.
struct DisplayStateMachine: Hashable, Sendable {
    /// A pass's number: higher is newer, never 0, never used twice.
    typealias Pass = UInt64

    enum Event: Hashable, Sendable {
        /// A pass begins. It makes all earlier ones stale. It is stale itself if a newer one began before it,
        /// from within its own preparations.
        case began(Pass, isSynchronous: Bool)
        /// What the passes in flight draw is no longer wanted; a newer pass will come.
        case invalidated
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
        /// Take the pass off its queue if it has not started; if that succeeds, say ``Event/dequeued(_:)``.
        case dequeue(Pass)
        /// Report the outcome, and for `.committed` show the picture; the pass is over.
        case end(Pass, Ending)
    }

    enum Ending: Hashable, Sendable {
        case committed
        case superseded(DisplayStage)
        case cancelled(DisplayStage)
        case failed
    }

    private enum Standing: Hashable, Sendable {
        /// The newest pass; what it draws is wanted.
        case current
        /// Drawn on the main actor while its caller waits: wanted whatever happens meanwhile.
        case synchronous
        /// Made stale by a newer request.
        case superseded
        /// Made stale by a cancellation.
        case cancelled

        var isWanted: Bool { self == .current || self == .synchronous }

        func staleEnding(at stage: DisplayStage) -> Ending {
            self == .cancelled ? .cancelled(stage) : .superseded(stage)
        }
    }

    /// The newest pass begun so far; 0 before the first.
    private var newest: Pass = 0

    /// The newest pass committed so far; 0 before the first.
    private(set) var shown: Pass = 0

    /// Passes that began and have not ended. Few: all but the newest are on their way out.
    private var inFlight: [Pass: Standing] = [:]

    /// True when every pass that began has ended.
    var isIdle: Bool { inFlight.isEmpty }

    /// True when a pass began and has not ended.
    func isInFlight(_ pass: Pass) -> Bool { inFlight[pass] != nil }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .began(let pass, let isSynchronous):
            guard pass > newest else { return [.end(pass, .superseded(.waiting))] }
            newest = pass
            let actions = markStale(as: .superseded)
            inFlight[pass] = isSynchronous ? .synchronous : .current
            return actions
        case .invalidated:
            return markStale(as: .superseded)
        case .cancelled:
            return markStale(as: .cancelled)
        case .dequeued(let pass):
            return end(pass) { $0.staleEnding(at: .waiting) }
        case .stopped(let pass, let stage):
            return end(pass) { $0.staleEnding(at: stage) }
        case .failed(let pass):
            return end(pass) { _ in .failed }
        case .finished(let pass):
            let isNewest = pass > shown
            let actions = end(pass) { $0.isWanted && isNewest ? .committed : $0.staleEnding(at: .committing) }
            if actions == [.end(pass, .committed)] { shown = pass }
            return actions
        }
    }

    private mutating func markStale(as standing: Standing) -> [Action] {
        let passes = inFlight.filter { $0.value == .current }.keys.sorted()
        for pass in passes { inFlight[pass] = standing }
        return passes.map { .dequeue($0) }
    }

    private mutating func end(_ pass: Pass, _ ending: (Standing) -> Ending) -> [Action] {
        guard let standing = inFlight.removeValue(forKey: pass) else { return [] }
        return [.end(pass, ending(standing))]
    }
}
