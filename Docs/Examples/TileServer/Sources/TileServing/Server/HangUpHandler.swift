import NIOCore
import Synchronization

/// Hears that the client of a connection has gone, also while its request is being answered.
///
/// A closed socket is a readable one, whose end NIO reads at once and tells as an event. (A handler that
/// waits for something does not see it: nothing that it reads or writes fails.) Hummingbird's own
/// `request.body.consumeWithCancellationOnInboundClose` would do, but closes the connection after every
/// answer; this leaves it open for the next tile.
///
/// A client that closes only its sending half counts as gone. *Thread-safe.*
package final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    package typealias InboundIn = Any

    private struct State: Sendable {
        var hasHungUp = false
        /// For the request that is being answered; of each connection one at a time.
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Calls a closure once when the client goes, or now if it has gone, on any thread.
    func onHangUp(_ cancel: @escaping @Sendable () -> Void) {
        let hasHungUp = state.withLock { state in
            state.cancel = cancel
            return state.hasHungUp
        }
        if hasHungUp { cancel() }
    }

    /// The request was answered.
    func forget() {
        state.withLock { $0.cancel = nil }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hangUp() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        hangUp()
        context.fireChannelInactive()
    }

    private func hangUp() {
        let cancel = state.withLock { state in
            state.hasHungUp = true
            return state.cancel.take()
        }
        cancel?()
    }
}

extension Channel {
    /// Does something in a task that is cancelled when the client goes. The channel must have a
    /// ``HangUpHandler``.
    package func cancellingOnHangUp<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let hangUps = try await pipeline.handler(type: HangUpHandler.self).get()
        let task = Task(operation: operation)
        hangUps.onHangUp { task.cancel() }
        defer { hangUps.forget() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
