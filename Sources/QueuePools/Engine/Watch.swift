#if os(Linux)
    import Synchronization

    /// Whether the supervisor looks at something repeatedly, which it does while there is something to see.
    ///
    /// A thread writes something and then reads `isOn`, while the supervisor resets that and then looks once
    /// more, all sequentially consistent: so one of them sees the other's write and continues the watch; if
    /// both do, the exchange decides.
    struct Watch: ~Copyable {
        private let isOn = Atomic<Bool>(false)

        /// Called after the write. Returns true if the caller must request the supervisor's look.
        @inline(__always)
        func begins() -> Bool { !isOn.load(ordering: .sequentiallyConsistent) && claims() }

        /// Ends the watch, unless there is something to see that another thread has not begun it for.
        func ends(unless isNeeded: () -> Bool) -> Bool {
            isOn.store(false, ordering: .sequentiallyConsistent)
            return !isNeeded() || !claims()
        }

        /// Relaxed: it publishes nothing, because the watch's data are the supervisor's.
        private func claims() -> Bool { !isOn.exchange(true, ordering: .relaxed) }
    }
#endif
