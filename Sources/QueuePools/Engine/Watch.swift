#if os(Linux)
    import Synchronization

    /// Whether the supervisor looks at something repeatedly, which it does while there is something to see.
    ///
    /// A thread writes something and then reads `isOn`, while the supervisor resets that and then looks once
    /// more, all sequentially consistent: so one of them sees what the other wrote, and continues; the
    /// exchange says which.
    struct Watch: ~Copyable {
        private let isOn = Atomic<Bool>(false)

        /// Called by a thread that has written. If it returns true, the caller has the supervisor look.
        @inline(__always)
        func begins() -> Bool { !isOn.load(ordering: .sequentiallyConsistent) && claims() }

        /// Ends the watch, unless there is something to see that another thread has not begun it for.
        func ends(unless isNeeded: () -> Bool) -> Bool {
            isOn.store(false, ordering: .sequentiallyConsistent)
            return !isNeeded() || !claims()
        }

        /// Relaxed: nothing comes with it, because what the watch needs belongs to the supervisor.
        private func claims() -> Bool { !isOn.exchange(true, ordering: .relaxed) }
    }
#endif
