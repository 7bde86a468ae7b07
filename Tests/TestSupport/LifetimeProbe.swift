import Synchronization

/// Tells when, and on which thread, something that captured it was released. *Thread-safe.*
public final class LifetimeProbe: Sendable {
    private let onRelease: @Sendable () -> Void

    public init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    /// Does nothing: closures mention it to capture the probe.
    public func touch() {}
}
