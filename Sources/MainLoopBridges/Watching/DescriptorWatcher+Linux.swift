#if os(Linux)
    import CLinuxEvents
    import CLinuxThreads
    import Dispatch
    import Foundation
    import Synchronization

    /// A thread that sleeps until a descriptor becomes readable, says so once, and sleeps again until it is told to
    /// watch again.
    final class DescriptorWatcher: Sendable {
        private let watched: Int32
        private let signals: EventDescriptor
        private let stopEvent: EventDescriptor
        private let hasStopped = DispatchSemaphore(value: 0)
        private let isStopping = Atomic<Bool>(false)
        private let forkCount = clinux_fork_count()

        /// - Parameter onReadable: called on the watcher's thread.
        init(_ watched: Int32, onReadable: @escaping @Sendable () -> Void) throws(MainLoopBridgeError) {
            self.watched = watched
            signals = try EventDescriptor(clinux_set_make())
            stopEvent = try EventDescriptor(clinux_event_make())
            try signals.add(stopEvent.descriptor)
            try signals.add(watched, once: true)
            let watch = Unmanaged.passRetained(
                Watch(signals: signals, stopEvent: stopEvent, hasStopped: hasStopped, onReadable: onReadable))
            let error = clinux_thread_start_for_process(
                { argument in
                    let hasStopped = Watch.runAndRelease(argument!)
                    hasStopped.signal()
                }, watch.toOpaque())
            guard error == 0 else {
                watch.release()
                throw MainLoopBridgeError(
                    .system, "cannot make the thread that waits: \(String(cString: strerror(error)))")
            }
        }

        deinit { tellToStop() }

        /// Watches again. If the descriptor is readable by now, that counts: nothing that came before this call or
        /// comes after it is missed.
        func watchAgain() { clinux_set_watch_again(signals.descriptor, watched) }

        /// Ends the thread and waits until it has ended. Not to be called on it.
        func stop() {
            guard tellToStop() else { return }
            hasStopped.wait()
        }

        /// False if it was told already. A forked child has no such thread, but the event of the parent's.
        @discardableResult
        private func tellToStop() -> Bool {
            guard clinux_fork_count() == forkCount, !isStopping.exchange(true, ordering: .relaxed) else {
                return false
            }
            clinux_event_signal(stopEvent.descriptor)
            return true
        }
    }

    /// What the thread has. It holds the set that it waits for, and the event that ends it, so that their numbers cannot
    /// become those of others while it does. The watched descriptor leaves the set when its owner closes it.
    private final class Watch: Sendable {
        private let signals: EventDescriptor
        private let stopEvent: EventDescriptor
        private let hasStopped: DispatchSemaphore
        private let onReadable: @Sendable () -> Void

        init(
            signals: EventDescriptor, stopEvent: EventDescriptor, hasStopped: DispatchSemaphore,
            onReadable: @escaping @Sendable () -> Void
        ) {
            self.signals = signals
            self.stopEvent = stopEvent
            self.hasStopped = hasStopped
            self.onReadable = onReadable
        }

        private func run() {
            clinux_thread_set_name("main-loop-waker")
            while clinux_set_wait(signals.descriptor) != stopEvent.descriptor { onReadable() }
        }

        /// Runs until the watcher is told to stop. When it returns nothing of the watch is left, its closure included,
        /// so that it may be said then.
        static func runAndRelease(_ retained: UnsafeMutableRawPointer) -> DispatchSemaphore {
            let watch = Unmanaged<Watch>.fromOpaque(retained).takeRetainedValue()
            watch.run()
            return watch.hasStopped
        }
    }
#endif
