#if os(Linux)
    import Foundation

    /// Lets GLib's main loop (GTK's, GStreamer's, WebKit's) serve the main queue, the main actor and the
    /// transactions.
    ///
    ///     try GLibMainLoopSource()
    ///     g_application_run(application, 0, nil)
    ///
    /// Nothing is polled: GLib waits for two more descriptors, and is woken when there is something to do. In
    /// terms of its priorities:
    ///
    /// - the **main queue** is served at ``servingPriority``, that of GTK's redrawing: the two take turns, so
    ///   that work which keeps enqueuing more work stops neither input nor drawing;
    /// - the **turn ends**, and transactions are flushed, at ``flushingPriority``: when all events, timeouts
    ///   and descriptors of the default priority that are due have been dispatched, before GTK lays out and
    ///   redraws and before the loop sleeps. A source of a higher priority that is always ready delays it, as
    ///   it does GTK's redrawing. What transactions commit themselves, and what is committed while that
    ///   waits, is flushed at ``servingPriority``, so that transactions which keep committing stop nothing
    ///   either.
    ///
    /// The package does not depend on GLib; the functions are looked up in the process. What
    /// ``MainQueueSource`` says of nested loops and of where to run the loop is true here too. *Main-actor
    /// isolated*.
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
        /// ``invalidate()`` is called, or as long as the process.
        ///
        /// - Parameter polling: behave as on a toolchain whose main queue cannot be waited for: wake the loop
        ///   sixty times a second. Default: false.
        @discardableResult
        public init(polling: Bool = false) throws(MainLoopBridgeError) {
            functions = try GLibFunctions()
            source = try MainQueueSource(polling: polling)
            // Each retains the source of its work until it is destroyed.
            glibSources = [
                functions.attachSource(
                    source.mainQueue.descriptor, name: "main queue", priority: Self.servingPriority
                ) { [source] _ in source.drain() },
                functions.attachSource(
                    source.turnEvent.descriptor, name: "end of turn", priority: Self.flushingPriority
                ) { [source, functions] endOfTurn in
                    source.endTurn()
                    // A transaction may have invalidated this. If the priority of a destroyed source were
                    // set, GLib would poll its descriptors again, from memory that is about to be freed.
                    if functions.isDestroyed(endOfTurn) { return }
                    // GLib dispatches nothing below the highest priority that is ready, so what this flush
                    // has left to do must not be above redrawing and the main queue.
                    functions.setPriority(
                        endOfTurn, source.isTurnAwaited ? Self.servingPriority : Self.flushingPriority)
                },
            ]
        }

        /// Takes the source out of GLib's loop, and returns the main thread to the main run loop or the main
        /// queue, to which pending transactions go.
        public func invalidate() {
            for glibSource in glibSources { functions.destroy(glibSource) }
            glibSources = []
            source.invalidate()
        }
    }

    /// The functions of GLib's main loop, found in the process that uses it. So this package needs no
    /// headers, no trait and no library for a loop that most programs do not have. All of them are in GLib
    /// since 2.36 and part of its stable interface.
    struct GLibFunctions: Sendable {
        typealias Source = OpaquePointer
        typealias DescriptorFunction = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Int32
        typealias DestroyNotify = @convention(c) (UnsafeMutableRawPointer?) -> Void

        private static let readable: UInt32 = 1  // G_IO_IN
        private static let keep: Int32 = 1  // G_SOURCE_CONTINUE

        private let makeDescriptorSource: @convention(c) (Int32, UInt32) -> Source?
        private let setCallback:
            @convention(c) (Source, DescriptorFunction, UnsafeMutableRawPointer?, DestroyNotify?) -> Void
        let setPriority: @convention(c) (Source, Int32) -> Void
        private let setCanRecurse: @convention(c) (Source, Int32) -> Void
        private let setName: @convention(c) (Source, UnsafePointer<CChar>) -> Void
        private let attach: @convention(c) (Source, OpaquePointer?) -> UInt32
        private let destroySource: @convention(c) (Source) -> Void
        private let isDestroyedSource: @convention(c) (Source) -> Int32
        private let unref: @convention(c) (Source) -> Void

        /// Looks the functions up; throws if GLib is not there.
        init() throws(MainLoopBridgeError) {
            makeDescriptorSource = try Self.find("g_unix_fd_source_new")
            setCallback = try Self.find("g_source_set_callback")
            setPriority = try Self.find("g_source_set_priority")
            setCanRecurse = try Self.find("g_source_set_can_recurse")
            setName = try Self.find("g_source_set_name")
            attach = try Self.find("g_source_attach")
            destroySource = try Self.find("g_source_destroy")
            isDestroyedSource = try Self.find("g_source_is_destroyed")
            unref = try Self.find("g_source_unref")
        }

        private static func find<Function>(
            _ name: String, as type: Function.Type = Function.self
        ) throws(MainLoopBridgeError) -> Function {
            guard let address = dlsym(nil, name) else {
                throw MainLoopBridgeError(
                    .noGLib, "GLib 2.36 or later is not loaded in this process: it has no \(name)")
            }
            return unsafeBitCast(address, to: type)
        }

        /// Has a function called in the default main context's loop whenever a descriptor is readable. A
        /// nested loop within the function calls it as well; by default GLib would leave the source out
        /// there.
        func attachSource(
            _ descriptor: Int32, name: String, priority: Int32,
            calling body: @escaping @MainActor (Source) -> Void
        ) -> Source {
            let source = makeDescriptorSource(descriptor, Self.readable)!
            let context = Unmanaged.passRetained(Callback(source: source, body: body))
            setCallback(
                source,
                { _, _, context in
                    let callback = Unmanaged<Callback>.fromOpaque(context!).takeUnretainedValue()
                    MainActor.assumeIsolated { callback.body(callback.source) }
                    return GLibFunctions.keep
                }, context.toOpaque(),
                { context in Unmanaged<Callback>.fromOpaque(context!).release() })
            setPriority(source, priority)
            setCanRecurse(source, 1)
            setName(source, name)
            _ = attach(source, nil)
            return source
        }

        /// Takes a source out of its loop, and releases it.
        func destroy(_ source: Source) {
            destroySource(source)
            unref(source)
        }

        /// Whether a source has been taken out of its loop. Called in the source's own call, while GLib
        /// retains it.
        func isDestroyed(_ source: Source) -> Bool { isDestroyedSource(source) != 0 }
    }

    /// What a source calls. GLib retains it until the source is destroyed and its last call has returned.
    private final class Callback: Sendable {
        nonisolated(unsafe) let source: GLibFunctions.Source  // the main thread's alone
        let body: @MainActor (GLibFunctions.Source) -> Void

        init(source: GLibFunctions.Source, body: @escaping @MainActor (GLibFunctions.Source) -> Void) {
            self.source = source
            self.body = body
        }
    }
#endif
