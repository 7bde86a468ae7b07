#if os(Linux)
    /// Lets GLib's main loop (GTK's, GStreamer's, WebKit's) serve the main queue, the main actor and the transactions.
    ///
    ///     try GLibMainLoopSource.attach()
    ///     g_application_run(application, 0, nil)
    ///
    /// Nothing is polled: GLib waits for two more descriptors, and is woken when there is something to do. In terms
    /// of its priorities:
    ///
    /// - the **main queue** is served at ``servingPriority``, that of GTK's redrawing: the two take turns, so that work
    ///   which enqueues more work on and on stops neither input nor drawing;
    /// - the **turn ends**, and transactions are flushed, at ``flushingPriority``: as soon as all events, timeouts and
    ///   descriptors of the default priority that are due have been dispatched, before GTK lays out and redraws and
    ///   before the loop sleeps. A source of a higher priority that is always ready holds it up, as it does GTK's
    ///   redrawing. What transactions commit themselves, and what is committed while that waits, is flushed at
    ///   ``servingPriority``, so that those which commit on and on stop nothing either.
    ///
    /// The package does not depend on GLib; the functions are looked up in the process. What ``MainQueueSource`` says
    /// of nested loops and of where to run the loop holds here too. *Main-actor isolated*.
    @MainActor
    public final class GLibMainLoopSource {
        /// Where the main queue is served: GDK_PRIORITY_REDRAW, 120.
        public nonisolated static let servingPriority: Int32 = 120

        /// Where transactions are flushed: G_PRIORITY_HIGH_IDLE, 100.
        public nonisolated static let flushingPriority: Int32 = 100

        /// See ``MainQueueSource/isPolling``.
        public var isPolling: Bool { source.isPolling }

        private let source: MainQueueSource
        private let functions: GLibFunctions
        private var glibSources: [GLibFunctions.Source] = []

        /// Attaches a source to the default main context; throws a ``MainLoopBridgeError``. It stays until
        /// ``invalidate()``, for which the result is to be kept; if nobody keeps it, for as long as the process.
        ///
        /// - Parameter polling: behave as on a toolchain whose main queue cannot be waited for: wake the loop sixty
        ///   times a second. Default: false.
        @discardableResult
        public static func attach(polling: Bool = false) throws(MainLoopBridgeError) -> GLibMainLoopSource {
            try GLibMainLoopSource(polling: polling)
        }

        private init(polling: Bool) throws(MainLoopBridgeError) {
            functions = try GLibFunctions()
            source = try MainQueueSource(polling: polling)
            // Each holds the source of its work until it is destroyed.
            glibSources = [
                functions.attachSource(
                    source.mainQueue.descriptor, name: "main queue", priority: Self.servingPriority
                ) { [source] _ in source.drain() },
                functions.attachSource(
                    source.turnEvent.descriptor, name: "end of turn", priority: Self.flushingPriority
                ) { [source, functions] endOfTurn in
                    source.endTurn()
                    // A transaction may have invalidated this. To set the priority of a source that was
                    // destroyed would have GLib poll its descriptors again, from memory that is about to be
                    // freed.
                    if functions.isDestroyed(endOfTurn) { return }
                    // GLib dispatches nothing below the highest priority that is ready: what this flush has left to
                    // do must let redrawing and the main queue go along with it.
                    functions.setPriority(
                        endOfTurn, source.isTurnAwaited ? Self.servingPriority : Self.flushingPriority)
                },
            ]
        }

        /// Takes the source out of GLib's loop, and gives the main thread back to the main run loop or the main
        /// queue, to which pending transactions go.
        public func invalidate() {
            for glibSource in glibSources { functions.destroy(glibSource) }
            glibSources = []
            source.invalidate()
        }
    }
#endif
