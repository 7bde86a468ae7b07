#if os(Linux)
    import CQueuePoolsEvents
    import Foundation

    /// The descriptors that a ``FrameLoop`` waits for, each with a token, and the alarm that ends its wait.
    @MainActor
    final class WatchedDescriptors {
        struct Event {
            let token: UInt64
            let readiness: FrameLoop.Readiness
        }

        /// The alarm's token, which no other descriptor has.
        private static let alarmToken = UInt64.max

        private let set: EventDescriptor
        /// A timer of the system, because a wait's own limit is in milliseconds, which is too coarse for
        /// frames.
        private let alarm: EventDescriptor
        /// The time for which the alarm is set.
        private var alarmTime: ContinuousClock.Instant?
        private var watched: Set<Int32> = []
        private var ready = [cqp_ready](repeating: cqp_ready(), count: 64)

        init() throws(MainLoopBridgeError) {
            set = try EventDescriptor(cqp_set_make())
            alarm = try EventDescriptor(cqp_alarm_make())
            try add(alarm.descriptor, for: .readable, token: Self.alarmToken)
        }

        func add(
            _ descriptor: Int32, for readiness: FrameLoop.Readiness, token: UInt64
        ) throws(MainLoopBridgeError) {
            // The system knows the file and not its number, so a number whose file was closed would be new
            // to it.
            guard !watched.contains(descriptor) else {
                throw MainLoopBridgeError(
                    .alreadyWatched, "the loop watches descriptor \(descriptor); cancel that watch first")
            }
            let error = cqp_set_add_token(
                set.descriptor, descriptor, readiness.contains(.readable), readiness.contains(.writable),
                token)
            switch error {
            case 0: watched.insert(descriptor)
            case EBADF:
                throw MainLoopBridgeError(.invalidDescriptor, "descriptor \(descriptor) is not open")
            case EPERM:
                throw MainLoopBridgeError(
                    .alwaysReady,
                    """
                    descriptor \(descriptor) cannot be waited for, because it is always ready: it is that of a \
                    regular file, a folder, or a device such as /dev/null; read it without a watch
                    """)
            default:
                throw MainLoopBridgeError(
                    .system, "cannot wait for descriptor \(descriptor): \(String(cString: strerror(error)))")
            }
        }

        func remove(_ descriptor: Int32) {
            watched.remove(descriptor)
            cqp_set_remove(set.descriptor, descriptor)
        }

        /// Waits until a descriptor is ready, or until a time; without one, with no limit. Returns those that
        /// are ready; those for which there is no room are returned by the next call. It may return early
        /// with none.
        func wait(until time: ContinuousClock.Instant?) -> [Event] {
            let waits = time.map { $0 > .now } ?? true
            if waits { setAlarm(to: time) }
            let count = cqp_set_wait_all(set.descriptor, &ready, Int32(ready.count), waits)
            guard count >= 0 else { fatalError("a descriptor of a FrameLoop was closed by the program") }
            return ready[..<Int(count)].compactMap { event in
                guard event.token != Self.alarmToken else {
                    _ = cqp_event_take(alarm.descriptor)
                    alarmTime = nil
                    return nil
                }
                var readiness: FrameLoop.Readiness = []
                if event.readable { readiness.insert(.readable) }
                if event.writable { readiness.insert(.writable) }
                return Event(token: event.token, readiness: readiness)
            }
        }

        private func setAlarm(to time: ContinuousClock.Instant?) {
            guard time != alarmTime else { return }
            alarmTime = time
            let nanoseconds = time.map { (ContinuousClock.now.duration(to: $0)).nanosecondsRoundedUp } ?? 0
            cqp_alarm_set(alarm.descriptor, nanoseconds)
        }
    }

    extension Duration {
        /// A century at most, in either direction, so that sums with it do not overflow.
        var bounded: Duration {
            let century = Duration.seconds(100 * 365 * 86_400)
            return min(max(self, .zero - century), century)
        }

        /// At least 1, so that an alarm is set, and not before the time.
        fileprivate var nanosecondsRoundedUp: UInt64 {
            let (seconds, attoseconds) = bounded.components
            return UInt64(max(1, seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000))
        }
    }
#endif
