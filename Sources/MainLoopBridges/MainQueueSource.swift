#if os(Linux)
    import CQueuePoolsEvents
    import CoreFoundation
    import Foundation
    import QueuePoolsTransactions

    /// Lets a loop that waits for descriptors serve the main queue, the main actor and the transactions: a
    /// loop around `poll`, `epoll` or `io_uring`, or any library's that takes a descriptor.
    ///
    /// Under a loop that owns the main thread nothing on `DispatchQueue.main` and the main actor runs by
    /// itself. This source has a descriptor that is readable while there is something to do, and costs
    /// nothing otherwise.
    ///
    ///     let source = try MainQueueSource()
    ///     var descriptors = [
    ///         pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
    ///         pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
    ///     ]
    ///     while isRunning {
    ///         poll(&descriptors, nfds_t(descriptors.count), -1)
    ///         if descriptors[1].revents != 0 { handleInput() }
    ///         source.performTurn()  // last, once in each turn, whatever has woken the loop
    ///     }
    ///
    /// ``performTurn()`` (or ``endTurn()``) flushes `TransactionQueue.main` while the source exists, so
    /// layers need no host of their own. For loops that cannot wait for a descriptor there is
    /// ``MainLoopWaker``, for GLib's ``GLibMainLoopSource``.
    ///
    /// Run the loop from synchronous code on the thread that the process began with, not from a block of the
    /// main queue or a main-actor task: the main queue runs one block at a time, and that block would be the
    /// loop. For the same reason a loop within such a block (a modal dialog) gets events and flushes but no
    /// blocks. A Foundation run loop may run within a turn and serves the main queue meanwhile; transactions
    /// wait for the source's loop.
    ///
    /// An asynchronous main function (`@main async`, top-level code with an `await`) is such code until it
    /// suspends for the first time. From then on threads of Dispatch serve the main queue, and no code runs
    /// on the first thread: a source cannot be made, and a turn of an earlier one stops the program.
    /// Invalidate that one before; while it exists, transactions wait for its turns.
    ///
    /// There is one main thread: making a second source throws until the first is invalidated or released.
    /// *Thread-safe*, except `performTurn`, `drain` and `endTurn`, which are main-actor isolated.
    public final class MainQueueSource: Sendable {
        /// To be waited for until it is readable (POLLIN), level-triggered: it stays readable until
        /// ``performTurn()``. It belongs to the source; neither read nor close it.
        public var descriptor: Int32 { signals.descriptor }

        /// False if the main queue is really waited for. True if this toolchain's libdispatch has no function
        /// for that, or if polling was requested: then the descriptor becomes readable sixty times a second,
        /// and the main queue is looked at. Commits are not polled for.
        public var isPolling: Bool {
            if case .polled = mainQueue { true } else { false }
        }

        let mainQueue: MainQueueAccess
        /// Readable if a transaction queue needs a flush. Separate from the main queue's signal, because a
        /// nested loop in a block of the main queue must see what is still to be flushed.
        let turnEvent: EventDescriptor
        private let signals: EventDescriptor
        private let turns: ManualTurns

        /// Makes a source; throws a ``MainLoopBridgeError``, on another thread than the process's first one
        /// `.notOnMainThread`.
        ///
        /// - Parameter polling: behave as on a toolchain whose main queue cannot be waited for. Default:
        ///   false.
        @MainActor
        public init(polling: Bool = false) throws(MainLoopBridgeError) {
            guard cqp_is_main_thread() else { throw .notOnMainThread }
            mainQueue = try MainQueueAccess(polling: polling)
            let turnEvent = try EventDescriptor(cqp_event_make())
            self.turnEvent = turnEvent
            signals = try EventDescriptor(cqp_set_make())
            try signals.add(mainQueue.descriptor)
            try signals.add(turnEvent.descriptor)
            guard let turns = ManualTurns(wake: { cqp_event_signal(turnEvent.descriptor) }) else {
                throw .alreadyBridged
            }
            self.turns = turns
        }

        deinit { turns.invalidate() }

        /// Serves the main queue, then ends the turn. To be called once in each turn of the loop, after
        /// everything else; with nothing to do it takes two system calls that find nothing.
        @MainActor
        public func performTurn() {
            drain()
            endTurn()
        }

        /// Runs what waits on the main queue and the main actor. What that enqueues waits until the next
        /// call, so that it cannot starve the loop's own events. Stops the program on another thread than the
        /// first.
        @MainActor
        public func drain() {
            checkThread()
            if mainQueue.takeSignal() { mainQueue.serve() }
        }

        /// Flushes the transactions that were committed since the last end of a turn. Those that it commits
        /// itself make the descriptor readable again. Stops the program on another thread than the first.
        @MainActor
        public func endTurn() {
            checkThread()
            // The signal stays until all is flushed, so that no loop that a transaction runs sleeps before
            // the others have run.
            flush()
            takeTurnSignal()
            // A thread that has committed meanwhile did so before it signalled: either the commit is seen
            // here, or its signal is still to come.
            if isTurnAwaited { cqp_event_signal(turnEvent.descriptor) }
        }

        /// Stops the program on another thread than the first. In `dispatchMain()`, also at the first
        /// suspension of an asynchronous main function, libdispatch closes the main queue's descriptor, whose
        /// number may be another file's by now, and serves the main queue on its own threads.
        func checkThread() {
            guard cqp_is_main_thread() else {
                fatalError(
                    """
                    the main queue was served, or a turn ended, on another thread than the process's first \
                    one; in an asynchronous main function the loop must run before the first suspension
                    """)
            }
        }

        @MainActor
        func takeTurnSignal() { _ = cqp_event_take(turnEvent.descriptor) }

        @MainActor
        func flush() { turns.endTurn() }

        /// Whether there is something to flush in the next turn.
        var isTurnAwaited: Bool { turns.isAwaited }

        /// Returns the main thread to the main run loop or the main queue, to which pending transactions go.
        /// The descriptor must not be waited for any more.
        public func invalidate() { turns.invalidate() }
    }

    /// How the main queue is served: with the functions that libdispatch has for run loops, or by polling.
    enum MainQueueAccess: Sendable {
        /// libdispatch's own descriptor, which is readable while blocks wait. Only libdispatch may close it.
        case queue(descriptor: Int32)
        /// A timer that is readable sixty times a second, for a libdispatch without such a thing.
        case polled(timer: EventDescriptor)

        private static let pollingInterval: UInt64 = 1_000_000_000 / 60

        init(polling: Bool) throws(MainLoopBridgeError) {
            let descriptor = polling ? -1 : cqp_main_queue_descriptor()
            if descriptor >= 0 {
                self = .queue(descriptor: descriptor)
            } else {
                self = .polled(timer: try EventDescriptor(cqp_timer_make(Self.pollingInterval)))
            }
        }

        /// What a loop waits for.
        var descriptor: Int32 {
            switch self {
            case .queue(let descriptor): descriptor
            case .polled(let timer): timer.descriptor
            }
        }

        /// Takes the signal that the main queue is to be served. Returns false if there is none.
        ///
        /// Always before ``serve()``: what is enqueued while that runs, too late to be run by it, signals
        /// again. In the other order that signal would be taken too, and the block would wait for the next
        /// one.
        @MainActor
        func takeSignal() -> Bool { cqp_event_take(descriptor) }

        /// Runs what was enqueued before, on the main queue and the main actor; what is enqueued meanwhile
        /// waits for its own turn. Within a block of the main queue it runs nothing; libdispatch signals
        /// again when that block has ended.
        @MainActor
        func serve() {
            switch self {
            case .queue: cqp_main_queue_drain()
            // CoreFoundation can serve the main queue of its own toolchain. Without a time to wait it looks
            // once and returns.
            case .polled: CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
            }
        }
    }

    /// A descriptor that is closed with its object: an event, a timer, or a set of descriptors.
    final class EventDescriptor: Sendable {
        let descriptor: Int32

        /// Takes over a descriptor that was just made; throws if it is not valid.
        init(_ descriptor: Int32) throws(MainLoopBridgeError) {
            guard descriptor >= 0 else {
                throw MainLoopBridgeError(
                    .system, "cannot make a descriptor to wait for: \(String(cString: strerror(errno)))")
            }
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        /// Adds a descriptor to this one, which must be a set.
        func add(_ member: Int32, once: Bool = false) throws(MainLoopBridgeError) {
            let error = cqp_set_add(descriptor, member, once)
            guard error == 0 else {
                throw MainLoopBridgeError(
                    .system, "cannot wait for a descriptor: \(String(cString: strerror(error)))")
            }
        }
    }
#endif
