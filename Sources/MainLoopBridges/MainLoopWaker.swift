#if os(Linux)
    import CQueuePoolsEvents
    import CQueuePoolsThreads
    import Dispatch
    import Foundation
    import Synchronization

    /// Lets a loop that cannot wait for a descriptor serve the main queue, the main actor and the
    /// transactions: SDL's, GLFW's, a game engine's. It needs one function of the loop: a call that wakes it
    /// from any thread.
    ///
    /// With SDL, which this package does not depend on:
    ///
    ///     let wakeEvent = SDL_RegisterEvents(1)
    ///     let waker = try MainLoopWaker {
    ///         var event = SDL_Event()
    ///         event.type = wakeEvent
    ///         SDL_PushEvent(&event)  // may be called from any thread
    ///     }
    ///     var event = SDL_Event()
    ///     while isRunning {
    ///         waker.performTurn()  // before the loop may sleep, whatever has woken it
    ///         presentIfChanged()
    ///         SDL_WaitEvent(&event)  // sleeps until there is an event, of the user's or of the waker's
    ///         repeat {
    ///             if event.type != wakeEvent { handle(event) }
    ///         } while SDL_PollEvent(&event) != 0
    ///     }
    ///
    /// With GLFW the closure is `{ glfwPostEmptyEvent() }`. A loop that draws frame after frame and never
    /// sleeps needs no waking: `{}`, and ``performTurn()`` once a frame.
    ///
    /// A thread waits for what comes from other threads, and sleeps meanwhile. It calls `wake` once and not
    /// again until ``performTurn()``, so wake-ups do not fill an event queue; a full one loses none, because
    /// a loop with events to handle is awake and comes to `performTurn()`. A loop that `handle` runs, as for
    /// a modal dialog, needs the same form: the wake-up may be used up by then, so that one which sleeps
    /// before its first `performTurn()` might not be woken.
    ///
    /// What ``MainQueueSource`` says of turns, nested loops and of where to run the loop is true here too. On
    /// Apple's platforms, where the main run loop runs under any of these loops, the waker does nothing.
    ///
    /// *Thread-safe*, except `performTurn` and `invalidate`, which are main-actor isolated.
    public final class MainLoopWaker: Sendable {
        /// See ``MainQueueSource/isPolling``.
        public var isPolling: Bool { source.isPolling }

        private let source: MainQueueSource
        private let watcher: DescriptorWatcher

        /// Makes a waker; throws a ``MainLoopBridgeError``.
        ///
        /// - Parameters:
        ///   - polling: behave as on a toolchain whose main queue cannot be waited for: wake the loop sixty
        ///     times a second. Default: false.
        ///   - wake: wakes the loop if it sleeps or is about to. Called on the waker's thread; it must not
        ///     wait for the main thread.
        @MainActor
        public init(polling: Bool = false, wake: @escaping @Sendable () -> Void) throws(MainLoopBridgeError) {
            source = try MainQueueSource(polling: polling)
            watcher = try DescriptorWatcher(source.descriptor, onReadable: wake)
        }

        /// Serves the main queue, then ends the turn. To be called once in each turn of the loop, after its
        /// events and before it waits for others; with nothing to do it takes three system calls.
        @MainActor
        public func performTurn() {
            source.checkThread()
            // A signal is taken, then the watcher watches, then what was signalled is done: what comes after
            // its signal was taken is seen by the watcher, also while a block or a transaction runs a nested
            // loop. It watches again only once in a turn, or one signal would wake the loop twice. The turn's
            // signal must not be taken before blocks are run, because a loop nested in one of them has to see
            // it; it may then wake the loop needlessly.
            let hasBlocks = source.mainQueue.takeSignal()
            if !hasBlocks { source.takeTurnSignal() }
            watcher.watchAgain()
            if hasBlocks {
                source.mainQueue.serve()
                source.takeTurnSignal()
            }
            source.flush()
        }

        /// Returns the main thread to the main run loop or the main queue, and ends the waker's thread;
        /// `wake` is not called any more. Releasing a waker does this too, but `wake` may be called once
        /// more.
        @MainActor
        public func invalidate() {
            watcher.stop()
            source.invalidate()
        }
    }

    /// A thread that sleeps until a descriptor becomes readable, calls a closure once, and sleeps again until
    /// it is to watch again.
    final class DescriptorWatcher: Sendable {
        private let watched: Int32
        private let signals: EventDescriptor
        private let stopEvent: EventDescriptor
        private let hasStopped = DispatchSemaphore(value: 0)
        private let isStopping = Atomic<Bool>(false)

        /// - Parameter onReadable: called on the watcher's thread.
        init(_ watched: Int32, onReadable: @escaping @Sendable () -> Void) throws(MainLoopBridgeError) {
            self.watched = watched
            signals = try EventDescriptor(cqp_set_make())
            stopEvent = try EventDescriptor(cqp_event_make())
            try signals.add(stopEvent.descriptor)
            try signals.add(watched, once: true)
            let watch = Unmanaged.passRetained(
                Watch(signals: signals, stopEvent: stopEvent, hasStopped: hasStopped, onReadable: onReadable))
            let error = cqp_thread_start(
                { argument in
                    let hasStopped = Watch.runAndRelease(argument!)
                    hasStopped.signal()
                }, watch.toOpaque(), 0, false)
            guard error == 0 else {
                watch.release()
                throw MainLoopBridgeError(
                    .system, "cannot make the thread that waits: \(String(cString: strerror(error)))")
            }
        }

        deinit { tellToStop() }

        /// Watches again. If the descriptor is readable by now, that counts: nothing that came before this
        /// call or comes after it is missed.
        func watchAgain() { cqp_set_watch_again(signals.descriptor, watched) }

        /// Ends the thread and waits until it has ended. Not to be called on it.
        func stop() {
            guard tellToStop() else { return }
            hasStopped.wait()
        }

        /// Returns false if the thread was told to stop before.
        @discardableResult
        private func tellToStop() -> Bool {
            guard !isStopping.exchange(true, ordering: .relaxed) else { return false }
            cqp_event_signal(stopEvent.descriptor)
            return true
        }
    }

    /// What the thread has. It retains the set that it waits for, and the event that ends it, so that their
    /// numbers cannot become those of others meanwhile. The watched descriptor leaves the set when its owner
    /// closes it.
    private final class Watch: Sendable {
        private let signals: EventDescriptor
        private let stopEvent: EventDescriptor
        private let hasStopped: DispatchSemaphore
        private let onReadable: @Sendable () -> Void

        init(
            signals: EventDescriptor, stopEvent: EventDescriptor, hasStopped: DispatchSemaphore,
            onReadable: @escaping @Sendable () -> Void
        ) {
            self.signals = signals
            self.stopEvent = stopEvent
            self.hasStopped = hasStopped
            self.onReadable = onReadable
        }

        private func run() {
            cqp_thread_set_name("main-loop-waker")
            while cqp_set_wait(signals.descriptor) != stopEvent.descriptor { onReadable() }
        }

        /// Runs until the watcher is to stop. When it returns nothing of the watch is left, including its
        /// closure, so its end can be signalled.
        static func runAndRelease(_ retained: UnsafeMutableRawPointer) -> DispatchSemaphore {
            let watch = Unmanaged<Watch>.fromOpaque(retained).takeRetainedValue()
            watch.run()
            return watch.hasStopped
        }
    }
#else
    /// On this platform the main run loop runs under any loop that owns the main thread (an
    /// `NSApplication`'s, SDL's, GLFW's), serves the main queue and ends the turns. The waker exists so that
    /// a program for several platforms needs no condition; it does nothing, and never calls `wake`.
    public final class MainLoopWaker: Sendable {
        /// Always false.
        public var isPolling: Bool { false }

        /// Makes a waker that does nothing; throws nothing.
        @MainActor
        public init(polling: Bool = false, wake: @escaping @Sendable () -> Void) throws(MainLoopBridgeError) {
        }

        /// Does nothing.
        @MainActor
        public func performTurn() {}

        /// Does nothing.
        @MainActor
        public func invalidate() {}
    }
#endif
