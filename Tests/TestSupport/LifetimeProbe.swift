import Synchronization

/// Reports when, and on which thread, something that captured it was released. *Thread-safe.*
package final class LifetimeProbe: Sendable {
    private let onRelease: @Sendable () -> Void

    package init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    /// Does nothing: closures mention it to capture the probe.
    package func touch() {}
}
