import Locks

/// Draws that have ended, on their way from the pool's threads to the main actor.
///
/// However many arrive before the main actor comes to them, it is called once: the main thread pays for one
/// call a turn and not for one a draw. A main actor that waits for a draw takes it from here directly.
final class Arrivals: Sendable {
    private struct State {
        var arrived: [any Arrival] = []
        /// True from the moment at which the main actor is called to its coming.
        var isAnnounced = false
        /// True while the main actor sleeps until something arrives.
        var isAwaited = false
    }

    private let state = Lock(State())
    private let loop: any HostLoop

    init(loop: any HostLoop) { self.loop = loop }

    /// Hands over a draw that has ended; called on its thread.
    func post(_ arrival: any Arrival) {
        let (isFirst, isAwaited) = state.withLock { state in
            state.arrived.append(arrival)
            defer { state.isAnnounced = true }
            return (!state.isAnnounced, state.isAwaited)
        }
        if isFirst { loop.perform { self.receive() } }
        if isAwaited { loop.wake() }
    }

    /// Receives what has arrived.
    @MainActor
    private func receive() {
        let arrived = state.withLock { state in
            state.isAnnounced = false
            defer { state.arrived = [] }
            return state.arrived
        }
        for arrival in arrived { arrival.receive() }
    }

    /// Sleeps until certain draws have arrived or a time has come, then receives what is there.
    @MainActor
    func wait(for awaited: Set<ObjectIdentifier>, until time: Duration) {
        func areAllHere(_ state: State) -> Bool {
            awaited.isSubset(of: state.arrived.lazy.map { ObjectIdentifier($0) })
        }
        state.withLock { $0.isAwaited = true }
        while loop.now < time, !state.withLock({ areAllHere($0) }) { loop.sleep(until: time) }
        let arrived = state.withLock { state in
            state.isAwaited = false
            defer { state.arrived = [] }
            return state.arrived
        }
        for arrival in arrived { arrival.receive() }
    }
}

/// A draw that has ended.
protocol Arrival: AnyObject, Sendable {
    /// Tells whoever wanted it.
    @MainActor func receive()
}
