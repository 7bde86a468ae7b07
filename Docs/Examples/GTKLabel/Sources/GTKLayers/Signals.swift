import CGTK4

/// Connects closures to signals of GObjects. A closure is released with its object.
///
/// GObject calls handlers with as many arguments as the signal has, and the user's data last: hence a
/// function for each shape of signal.
@MainActor
public enum Signals {
    /// Signals with no argument, such as "clicked".
    public static func connect(
        _ object: some Pointer, _ name: String, _ body: @escaping @MainActor () -> Void
    ) {
        let call: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void = { _, data in
            let handler = Handler<Void>.from(data)
            MainActor.assumeIsolated { handler.body(()) }
        }
        connect(object, name, Handler<Void> { _ in body() }, unsafeBitCast(call, to: GCallback.self))
    }

    /// A property has changed: signals such as "notify::scale-factor".
    public static func connect(
        _ object: some Pointer, notify property: String, _ body: @escaping @MainActor () -> Void
    ) {
        connect(object, pointer: "notify::" + property, body)
    }

    /// Signals of gestures about a press or a touch, such as "cancel", with what tells touches apart.
    public static func connect(
        _ object: some Pointer, sequence name: String, _ body: @escaping @MainActor () -> Void
    ) {
        connect(object, pointer: name, body)
    }

    /// Signals with a pointer that is not used.
    private static func connect(
        _ object: some Pointer, pointer name: String, _ body: @escaping @MainActor () -> Void
    ) {
        let call: @convention(c) (UnsafeMutableRawPointer, OpaquePointer?, UnsafeMutableRawPointer) -> Void =
            {
                _, _, data in
                let handler = Handler<Void>.from(data)
                MainActor.assumeIsolated { handler.body(()) }
            }
        connect(object, name, Handler<Void> { _ in body() }, unsafeBitCast(call, to: GCallback.self))
    }

    /// Signals with a point, such as a pointer's "motion".
    public static func connect(
        _ object: some Pointer, point name: String, _ body: @escaping @MainActor (Double, Double) -> Void
    ) {
        let call: @convention(c) (UnsafeMutableRawPointer, Double, Double, UnsafeMutableRawPointer) -> Void =
            {
                _, x, y, data in
                let handler = Handler<(Double, Double)>.from(data)
                MainActor.assumeIsolated { handler.body((x, y)) }
            }
        let handler = Handler<(Double, Double)> { body($0.0, $0.1) }
        connect(object, name, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// Signals of clicks, "pressed" and "released", with a number of presses and a point.
    public static func connect(
        _ object: some Pointer, click name: String, _ body: @escaping @MainActor (Double, Double) -> Void
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, Int32, Double, Double, UnsafeMutableRawPointer) -> Void =
                {
                    _, _, x, y, data in
                    let handler = Handler<(Double, Double)>.from(data)
                    MainActor.assumeIsolated { handler.body((x, y)) }
                }
        let handler = Handler<(Double, Double)> { body($0.0, $0.1) }
        connect(object, name, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// Signals with a pointer whose handler returns whether it has done all, such as a GtkGLArea's "render".
    public static func connect(
        _ object: some Pointer, handled name: String, _ body: @escaping @MainActor () -> Void
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, OpaquePointer?, UnsafeMutableRawPointer) -> gboolean =
                {
                    _, _, data in
                    let handler = Handler<Void>.from(data)
                    MainActor.assumeIsolated { handler.body(()) }
                    return 1
                }
        connect(object, name, Handler<Void> { _ in body() }, unsafeBitCast(call, to: GCallback.self))
    }

    /// The same for signals with a distance, such as "scroll".
    public static func connect(
        _ object: some Pointer, distance name: String, _ body: @escaping @MainActor (Double, Double) -> Void
    ) {
        let call:
            @convention(c) (UnsafeMutableRawPointer, Double, Double, UnsafeMutableRawPointer) -> gboolean =
                {
                    _, x, y, data in
                    let handler = Handler<(Double, Double)>.from(data)
                    MainActor.assumeIsolated { handler.body((x, y)) }
                    return 1
                }
        let handler = Handler<(Double, Double)> { body($0.0, $0.1) }
        connect(object, name, handler, unsafeBitCast(call, to: GCallback.self))
    }

    private static func connect<Arguments>(
        _ object: some Pointer, _ name: String, _ handler: Handler<Arguments>, _ callback: @escaping GCallback
    ) {
        g_signal_connect_data(
            object.untyped, name, callback, Unmanaged.passRetained(handler).toOpaque(),
            { data, _ in Unmanaged<AnyObject>.fromOpaque(data!).release() }, GConnectFlags(rawValue: 0))
    }
}

private final class Handler<Arguments>: Sendable {
    let body: @MainActor (Arguments) -> Void

    init(_ body: @escaping @MainActor (Arguments) -> Void) { self.body = body }

    static func from(_ data: UnsafeMutableRawPointer) -> Self {
        Unmanaged<Self>.fromOpaque(data).takeUnretainedValue()
    }
}

/// GObjects come as typed pointers where their struct is public, and as opaque ones where it is not.
public protocol Pointer {
    /// The same address.
    var untyped: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: Pointer {
    /// The same address.
    public var untyped: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: Pointer {
    /// The same address.
    public var untyped: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
