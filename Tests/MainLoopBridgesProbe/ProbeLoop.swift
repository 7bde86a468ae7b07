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
            /// The package's own loop.
            case frameLoop
        }

        /// How often the loop has woken up, for whatever reason.
        let wakeUps = Atomic<Int>(0)

        private let events = Lock<[@MainActor @Sendable () -> Void]>([])
        private let bridge: Bridge

        private enum Bridge {
            case descriptors(MainQueueSource, eventPosted: Int32)
            case woken(MainLoopWaker, wakeUp: DispatchSemaphore)
            case frameLoop(FrameLoop, eventPosted: Int32)
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
            case .frameLoop:
                let loop = try FrameLoop()
                let eventPosted = cqp_event_make()
                bridge = .frameLoop(loop, eventPosted: eventPosted)
                try loop.watch(eventPosted) { [unowned self] _ in
                    _ = cqp_event_take(eventPosted)
                    handlePosted()
                }
            }
        }

        /// Posts an event of the loop's own, which wakes it.
        @Sendable
        func post(_ event: @escaping @MainActor @Sendable () -> Void) {
            events.withLock { $0.append(event) }
            switch bridge {
            case .descriptors(_, let eventPosted), .frameLoop(_, let eventPosted):
                cqp_event_signal(eventPosted)
            case .woken(_, let wakeUp): wakeUp.signal()
            }
        }

        /// Runs until a condition holds after a turn; also within a turn.
        @MainActor
        func run(until isDone: () -> Bool) {
            if case .frameLoop(let loop, _) = bridge {
                while !isDone() {
                    loop.performTurn()
                    wakeUps.wrappingAdd(1, ordering: .relaxed)
                }
                return
            }
            while true {
                switch bridge {
                case .descriptors(let source, _): source.performTurn()
                case .woken(let waker, _): waker.performTurn()
                case .frameLoop: break
                }
                if isDone() { return }
                wait()
                wakeUps.wrappingAdd(1, ordering: .relaxed)
                handlePosted()
            }
        }

        @MainActor
        private func handlePosted() {
            let posted = events.withLock { events in
                defer { events = [] }
                return events
            }
            for event in posted { event() }
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
            case .frameLoop: preconditionFailure("a frame loop is not nested")
            }
        }

        /// Stops serving the main queue and the transactions.
        @MainActor
        func invalidate() {
            switch bridge {
            case .descriptors(let source, _): source.invalidate()
            case .woken(let waker, _): waker.invalidate()
            case .frameLoop(let loop, _): loop.invalidate()
            }
        }
    }
#endif
