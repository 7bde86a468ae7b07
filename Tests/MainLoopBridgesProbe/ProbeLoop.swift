#if os(Linux)
    import CQueuePoolsEvents
    import Dispatch
    import Foundation
    import QueuePoolsLocks
    import MainLoopBridges
    import Synchronization

    /// A main loop with events of its own, which knows neither run loops nor the main queue, like a game's or
    /// a server's.
    final class ProbeLoop: Sendable {
        enum Kind: String {
            /// Waits for descriptors.
            case descriptors, polledDescriptors
            /// Can only be woken.
            case woken, polledWoken
        }

        /// How often the loop has woken up, for whatever reason.
        let wakeUps = Atomic<Int>(0)

        private let events = Lock<[@MainActor @Sendable () -> Void]>([])
        private let bridge: Bridge

        private enum Bridge {
            case descriptors(MainQueueSource, eventPosted: Int32)
            case woken(MainLoopWaker, wakeUp: DispatchSemaphore)
        }

        @MainActor
        init(_ kind: Kind) throws {
            switch kind {
            case .descriptors, .polledDescriptors:
                let source = try MainQueueSource(polling: kind == .polledDescriptors)
                bridge = .descriptors(source, eventPosted: cqp_event_make())
            case .woken, .polledWoken:
                let wakeUp = DispatchSemaphore(value: 0)
                let waker = try MainLoopWaker(polling: kind == .polledWoken) { wakeUp.signal() }
                bridge = .woken(waker, wakeUp: wakeUp)
            }
        }

        /// Posts an event of the loop's own, which wakes it.
        @Sendable
        func post(_ event: @escaping @MainActor @Sendable () -> Void) {
            events.withLock { $0.append(event) }
            switch bridge {
            case .descriptors(_, let eventPosted): cqp_event_signal(eventPosted)
            case .woken(_, let wakeUp): wakeUp.signal()
            }
        }

        /// Runs until a condition holds after a turn; also within a turn.
        @MainActor
        func run(until isDone: () -> Bool) {
            while true {
                switch bridge {
                case .descriptors(let source, _): source.performTurn()
                case .woken(let waker, _): waker.performTurn()
                }
                if isDone() { return }
                wait()
                wakeUps.wrappingAdd(1, ordering: .relaxed)
                let posted = events.withLock { events in
                    defer { events = [] }
                    return events
                }
                for event in posted { event() }
            }
        }

        /// Sleeps until something wakes the loop, and uses up all that has, as a loop does that handles all
        /// events.
        @MainActor
        func wait() {
            switch bridge {
            case .descriptors(let source, let eventPosted):
                var descriptors = [source.descriptor, eventPosted].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                poll(&descriptors, nfds_t(descriptors.count), -1)
                if descriptors[1].revents != 0 { _ = cqp_event_take(eventPosted) }
            case .woken(_, let wakeUp):
                wakeUp.wait()
                while wakeUp.wait(timeout: .now()) == .success {}
            }
        }

        /// Stops serving the main queue and the transactions.
        @MainActor
        func invalidate() {
            switch bridge {
            case .descriptors(let source, _): source.invalidate()
            case .woken(let waker, _): waker.invalidate()
            }
        }
    }
#endif
