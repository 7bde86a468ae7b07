#if os(Linux)
    import CQueuePoolsEvents
    import Synchronization

    /// A main loop for programs that have none: it waits for descriptors, timers and frames, and serves the
    /// main queue, the main actor and the transactions.
    ///
    ///     let loop = try FrameLoop(framesPerSecond: 60)
    ///     try loop.watch(connection) { _ in readInput() }
    ///     loop.perform(every: .seconds(1)) { updateClock() }
    ///     loop.requestFrame { time in present(at: time) }
    ///     loop.run()  // until loop.stop()
    ///
    /// A turn begins when something is due or ready, and calls in this order:
    ///
    /// 1. the **timers** that are due, in the order of their times;
    /// 2. the closures of **descriptors** that are ready;
    /// 3. the blocks that wait on the **main queue**, and the steps of main-actor tasks;
    /// 4. the **frame**, if one was requested and its time has come;
    /// 5. the **transactions** that were committed by then.
    ///
    /// So a frame presents the pictures that have arrived, and a transaction that any of these closures
    /// commits runs in the same turn. A loop with nothing to do sleeps.
    ///
    /// Closures may add and cancel watches, timers and frames. What is cancelled is not called, even if it is
    /// due in the same turn. What is added is called in a later turn; the exception is a frame that is
    /// requested before the frame of its turn, and belongs to that one.
    ///
    /// The loop is not re-entrant: ``run()`` and ``performTurn(timeout:)`` within one of its turns stop the
    /// program. What ``MainQueueSource`` says of where to run a loop is true here too, and so is that only
    /// one bridge exists at a time: the loop is one. A signal, such as SIGTERM, reaches the loop through
    /// `DispatchSource.makeSignalSource(signal:queue:)` on the main queue. *Main-actor isolated*, except
    /// ``stop()``.
    @MainActor
    public final class FrameLoop {
        /// The time between two frames: a second divided by the frame rate.
        public var frameInterval: Duration { frames.beat.interval }

        private let source: MainQueueSource
        private let descriptors: WatchedDescriptors
        private nonisolated let stopEvent: EventDescriptor
        private nonisolated let isStopRequested = Atomic<Bool>(false)
        private var isInTurn = false
        private var isInvalidated = false

        private var lastNumber = Token.lastReserved
        private var watches: [UInt64: Registration] = [:]
        private var timers = TimerList<Registration>()
        private var frames: FrameRequests<Registration>

        /// The tokens of the loop's own descriptors; later ones are numbers of registrations. No number is
        /// used twice, so an event of a cancelled watch cannot be taken for that of a newer one.
        private enum Token {
            static let turn: UInt64 = 0
            static let stop: UInt64 = 1
            static let lastReserved = stop
        }

        /// Makes a loop; throws a ``MainLoopBridgeError``: `.notOnMainThread`, `.alreadyBridged`, `.system`,
        /// and `.invalidFrameRate` if the rate is not a number between 1 and 1,000.
        ///
        /// - Parameter framesPerSecond: the rate of ``requestFrame(onFrame:)``. Default: 60.
        public init(framesPerSecond: Double = 60) throws(MainLoopBridgeError) {
            guard (1...1000).contains(framesPerSecond) else {
                throw MainLoopBridgeError(
                    .invalidFrameRate, "\(framesPerSecond) frames a second are not between 1 and 1,000")
            }
            source = try MainQueueSource()
            descriptors = try WatchedDescriptors()
            stopEvent = try EventDescriptor(cqp_event_make())
            frames = FrameRequests(beat: Beat(origin: .now, interval: .seconds(1 / framesPerSecond)))
            try descriptors.add(source.descriptor, for: .readable, token: Token.turn)
            try descriptors.add(stopEvent.descriptor, for: .readable, token: Token.stop)
        }

        // MARK: Running

        /// Performs turns until ``stop()`` or ``invalidate()`` is called. The turn in which it is stopped is
        /// completed. After a return it may be called again.
        ///
        /// Stops the program within a turn of this loop, on another thread than the process's first one, and
        /// if the loop was invalidated before.
        public func run() {
            checkMayRun()
            while !isInvalidated {
                if isStopRequested.load(ordering: .acquiring) {
                    // In this order: a stop that comes meanwhile is seen, or ends the next wait.
                    _ = cqp_event_take(stopEvent.descriptor)
                    isStopRequested.store(false, ordering: .relaxed)
                    return
                }
                performTurn()
            }
        }

        /// Makes ``run()`` return at the end of its turn, and wakes it if it sleeps. If the loop is not
        /// running, its next `run()` returns immediately, so that a stop cannot come too early. Several stops
        /// before that return are one. It also ends the wait of ``performTurn(timeout:)``. *Thread-safe.*
        public nonisolated func stop() {
            isStopRequested.store(true, ordering: .releasing)
            cqp_event_signal(stopEvent.descriptor)
        }

        /// Waits until something is due or ready, and performs one turn. For tests, in a program of their
        /// own, and for loops that run this one.
        ///
        /// Stops the program within a turn of this loop, on another thread than the process's first one, and
        /// after ``invalidate()``.
        ///
        /// - Parameter timeout: how long to wait at most. Zero or less looks and does not wait. Default: nil,
        ///   which waits without a limit.
        /// - Returns: false if the time passed and nothing was to be done.
        @discardableResult
        public func performTurn(timeout: Duration? = nil) -> Bool {
            checkMayRun()
            isInTurn = true
            defer { isInTurn = false }
            let limit = timeout.map { ContinuousClock.now.advanced(by: $0.bounded) }
            guard let turn = waitForTurn(until: limit) else { return false }
            call(timers.takeDue(at: turn.time)) { $0.fire() }
            for event in turn.events {
                if event.token == Token.stop { _ = cqp_event_take(stopEvent.descriptor) }
                watches[event.token]?.report(event.readiness)
            }
            if !isInvalidated { source.drain() }
            // The closures before may have taken longer than a frame.
            if let frame = frames.takeDue(at: .now) {
                call(frame.requests) { $0.present(at: frame.time) }
            }
            if !isInvalidated { source.endTurn() }
            return true
        }

        /// Cancels all watches, timers and frames, and returns the main thread to the main run loop or the
        /// main queue, to which pending transactions go. Within a turn, no further closure of the loop is
        /// called; the main queue's jobs and the transactions that are being performed are finished. What is
        /// added afterwards is never called. Does nothing the second time.
        ///
        /// Call it before the last reference to the loop is released, on the main thread: closures that
        /// capture the loop keep it as long as they are active.
        public func invalidate() {
            guard !isInvalidated else { return }
            isInvalidated = true
            source.invalidate()
            for registration in Array(watches.values) + timers.all + frames.requests { registration.cancel() }
        }

        /// Calls registrations that were taken from the lists, which ``invalidate()`` does not find there.
        private func call(_ due: [Registration], _ body: (Registration) -> Void) {
            for registration in due {
                if isInvalidated { registration.cancel() } else { body(registration) }
            }
        }

        private func checkMayRun() {
            source.checkThread()
            guard !isInTurn else {
                fatalError(
                    """
                    a FrameLoop was run within one of its own turns; to wait for something there, return and \
                    continue in a closure of the loop
                    """)
            }
            guard !isInvalidated else { fatalError("a FrameLoop was run after invalidate()") }
        }

        private struct Turn {
            /// Timers and frames of this time or before are due.
            let time: ContinuousClock.Instant
            let events: [WatchedDescriptors.Event]
        }

        /// Returns nil if the limit was reached and nothing was to be done.
        private func waitForTurn(until limit: ContinuousClock.Instant?) -> Turn? {
            while true {
                let due = [timers.nextTime, frames.nextTime].compactMap(\.self).min()
                let events = descriptors.wait(until: [due, limit].compactMap(\.self).min())
                let turn = Turn(time: .now, events: events)
                if !events.isEmpty { return turn }
                if let due, due <= turn.time { return turn }
                if let limit, limit <= turn.time { return nil }
            }
        }

        // MARK: Watches, timers and frames

        /// Calls a closure in each turn in which a descriptor is ready, until the watch is cancelled. If more
        /// than 64 are ready, they take turns. Takes a system call.
        ///
        /// An error, and a hang-up of the other end, make the descriptor ready for all that it is watched
        /// for: a call that reads or writes returns the error or the end. The closure should read or write
        /// what there is, and cancel the watch at the end: a descriptor that stays ready ends every wait
        /// immediately. It should not block, so the descriptor is best a non-blocking one.
        ///
        /// A descriptor has one watch. To watch it for something else, cancel the watch and add another.
        /// Cancel it before the descriptor is closed. Otherwise the system may give the number to another
        /// file, which the loop counts as watched, and a duplicate of the closed descriptor, as of a child
        /// process, may wake the loop permanently.
        ///
        /// Throws a ``MainLoopBridgeError``: `.invalidDescriptor`, `.alwaysReady`, `.alreadyWatched`, or
        /// `.system`.
        ///
        /// - Parameters:
        ///   - descriptor: stays the caller's.
        ///   - readiness: for what it is watched. Default: `.readable`. If it is empty, errors and hang-ups
        ///     alone are reported.
        ///   - onReady: called on the main actor with what the descriptor is ready for, of what it is watched
        ///     for.
        @discardableResult
        public func watch(
            _ descriptor: Int32, for readiness: Readiness = .readable,
            onReady: @escaping @MainActor (Readiness) -> Void
        ) throws(MainLoopBridgeError) -> Registration {
            let registration = makeRegistration(.watch(descriptor, for: readiness, onReady))
            guard registration.isActive else { return registration }
            try descriptors.add(descriptor, for: readiness, token: registration.number)
            watches[registration.number] = registration
            return registration
        }

        /// Calls a closure once, in the first turn that begins at a given time or later. If that time has
        /// passed, that is the next turn, which comes immediately. Takes time in proportion to the timers
        /// that are earlier.
        ///
        /// - Parameters:
        ///   - time: may be arbitrarily far away. The clock also counts while the system is suspended.
        ///   - onTime: called on the main actor.
        @discardableResult
        public func perform(
            at time: ContinuousClock.Instant, onTime: @escaping @MainActor () -> Void
        ) -> Registration {
            let registration = makeRegistration(.timer(repeats: false, onTime))
            guard registration.isActive else { return registration }
            timers.add(registration, number: registration.number, time: time, interval: nil)
            return registration
        }

        /// Calls a closure once, in the first turn that begins after a time has passed. See
        /// ``perform(at:onTime:)``.
        ///
        /// - Parameters:
        ///   - delay: zero or less means the next turn, which comes immediately; more than a century counts
        ///     as a century.
        ///   - onTime: called on the main actor.
        @discardableResult
        public func perform(after delay: Duration, onTime: @escaping @MainActor () -> Void) -> Registration {
            perform(at: .now.advanced(by: delay.bounded), onTime: onTime)
        }

        /// Calls a closure repeatedly, until the timer is cancelled. Its times are multiples of the interval
        /// from now, so it does not drift, however late a call is. Times that have passed before a turn
        /// begins are one call: a late loop does not catch up.
        ///
        /// - Parameters:
        ///   - interval: less than a millisecond counts as a millisecond, also zero and less; more than a
        ///     century counts as a century. The first call comes after one interval.
        ///   - onTime: called on the main actor.
        @discardableResult
        public func perform(every interval: Duration, onTime: @escaping @MainActor () -> Void) -> Registration
        {
            let registration = makeRegistration(.timer(repeats: true, onTime))
            guard registration.isActive else { return registration }
            let interval = max(interval, .milliseconds(1)).bounded
            timers.add(
                registration, number: registration.number, time: .now.advanced(by: interval),
                interval: interval)
            return registration
        }

        /// Calls a closure once, in the next frame, as a browser's `requestAnimationFrame` does. An animation
        /// requests the following frame in its closure; without requests there are no frames, and the loop
        /// sleeps.
        ///
        /// Frames keep to a steady beat: their times are the loop's creation and multiples of
        /// ``frameInterval``. A frame begins at its time or in the first turn after it; if several have
        /// passed by then, the last one is called and the others are left out. All requests that are made
        /// before it begins are called in it, in their order. A request that is made in a frame, or later,
        /// is for the first beat after the request.
        ///
        /// - Parameter onFrame: called on the main actor with the time of the frame, which is not after the
        ///   call. Compute movements from it: its steps are equal, while those of the calls are not.
        @discardableResult
        public func requestFrame(
            onFrame: @escaping @MainActor (ContinuousClock.Instant) -> Void
        ) -> Registration {
            let registration = makeRegistration(.frame(onFrame))
            guard registration.isActive else { return registration }
            frames.add(registration, at: .now)
            return registration
        }

        /// It is not active if the loop was invalidated.
        private func makeRegistration(_ action: Registration.Action) -> Registration {
            lastNumber += 1
            return Registration(loop: self, number: lastNumber, action: isInvalidated ? nil : action)
        }

        /// A registration is cancelled.
        func remove(_ registration: Registration, _ action: Registration.Action) {
            switch action {
            case .watch(let descriptor, _, _):
                watches[registration.number] = nil
                descriptors.remove(descriptor)
            case .timer: timers.remove(number: registration.number)
            case .frame: frames.remove { $0 === registration }
            }
        }
    }
#endif
