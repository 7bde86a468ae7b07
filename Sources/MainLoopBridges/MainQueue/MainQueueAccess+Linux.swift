#if os(Linux)
    import CLinuxEvents
    import CoreFoundation
    import Foundation

    /// How the main queue is served: as libdispatch lets run loops do it, or by asking again and again.
    enum MainQueueAccess: Sendable {
        /// libdispatch's own descriptor, which is readable while blocks wait. It is not ours to close.
        case queue(descriptor: Int32)
        /// A timer that is readable sixty times a second, for a libdispatch without such a thing.
        case polled(timer: EventDescriptor)

        private static let pollingInterval: UInt64 = 1_000_000_000 / 60

        init(polling: Bool) throws(MainLoopBridgeError) {
            let descriptor = polling ? -1 : clinux_main_queue_descriptor()
            if descriptor >= 0 {
                self = .queue(descriptor: descriptor)
            } else {
                self = .polled(timer: try EventDescriptor(clinux_timer_make(Self.pollingInterval)))
            }
        }

        /// What a loop waits for.
        var descriptor: Int32 {
            switch self {
            case .queue(let descriptor): descriptor
            case .polled(let timer): timer.descriptor
            }
        }

        /// Takes the signal that the main queue wants to be served; false if there is none.
        ///
        /// Always before ``serve()``: what is enqueued while that runs, too late to be run by it, signals anew.
        /// In the other order its signal would be taken along, and it would wait for the next one.
        @MainActor
        func takeSignal() -> Bool { clinux_event_take(descriptor) }

        /// Runs what was enqueued before, on the main queue and the main actor; what is enqueued meanwhile waits
        /// for its own turn. Within a block of the main queue it runs nothing, as no loop can; libdispatch
        /// signals again when that block has ended.
        @MainActor
        func serve() {
            switch self {
            case .queue: clinux_main_queue_drain()
            // CoreFoundation knows how to serve the main queue of its own toolchain. Without a time to wait it
            // looks once and returns.
            case .polled: CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
            }
        }
    }
#endif
