import CGTK4

/// Has something done once in GLib's loop, at a priority. *Thread-safe.*
func invoke(priority: Int32 = G_PRIORITY_DEFAULT, _ body: @escaping @MainActor () -> Void) {
    let context = Unmanaged.passRetained(Body(body))
    g_idle_add_full(
        priority,
        { context in
            let body = Unmanaged<Body>.fromOpaque(context!).takeUnretainedValue()
            MainActor.assumeIsolated { body.run() }
            return 0
        }, context.toOpaque(), { context in Unmanaged<Body>.fromOpaque(context!).release() })
}

private final class Body: Sendable {
    let run: @MainActor () -> Void

    init(_ run: @escaping @MainActor () -> Void) { self.run = run }
}

/// Runs GLib's loop within a source of its own until a condition holds.
@MainActor
func runNestedLoop(until isDone: () -> Bool) {
    while !isDone() { g_main_context_iteration(nil, 1) }
}

/// What GLib's loop would wait for now.
@MainActor
func polledDescriptors() -> [Int32] {
    var timeout: Int32 = 0
    var descriptors = [GPollFD](repeating: GPollFD(), count: 64)
    let count = g_main_context_query(
        g_main_context_default(), .max, &timeout, &descriptors, Int32(descriptors.count))
    return descriptors.prefix(Int(count)).map(\.fd)
}
