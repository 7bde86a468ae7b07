#if os(Linux)
    import Foundation

    /// The functions of GLib's main loop, found in the process that uses it.
    ///
    /// So this package needs no headers, no trait and no library for a loop that most programs do not have. All of
    /// them are in GLib since 2.36 and part of its stable interface.
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

        /// Has a function called in the default main context's loop whenever a descriptor is readable.
        ///
        /// A nested loop within the function calls it as well; without that GLib would leave the source out there.
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

        /// Whether a source has been taken out of its loop; asked by the source's own call, while GLib holds
        /// it.
        func isDestroyed(_ source: Source) -> Bool { isDestroyedSource(source) != 0 }
    }

    /// What a source calls; GLib holds it until the source is destroyed and its last call has returned.
    private final class Callback: Sendable {
        nonisolated(unsafe) let source: GLibFunctions.Source  // the main thread's alone
        let body: @MainActor (GLibFunctions.Source) -> Void

        init(source: GLibFunctions.Source, body: @escaping @MainActor (GLibFunctions.Source) -> Void) {
            self.source = source
            self.body = body
        }
    }
#endif
