#if os(Linux)
    extension FrameLoop {
        /// The states of a descriptor that can be watched for.
        public struct Readiness: OptionSet, Equatable, Sendable {
            /// The bits.
            public let rawValue: UInt8

            /// Makes a set from its bits.
            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// There is something to read: bytes, a connection to accept, the end, or an error.
            public static let readable = Readiness(rawValue: 1)

            /// There is room to write, or a write reports an error.
            public static let writable = Readiness(rawValue: 2)
        }

        /// A closure that a ``FrameLoop`` is to call, and the means to cancel it. The loop retains the
        /// closure until it is cancelled or, if it is called once, until then; the registration need not be
        /// kept. *Main-actor isolated*.
        @MainActor
        public final class Registration {
            /// The closure, with all that is only valid while the registration is active.
            enum Action {
                case watch(Int32, for: Readiness, @MainActor (Readiness) -> Void)
                case timer(repeats: Bool, @MainActor () -> Void)
                case frame(@MainActor (ContinuousClock.Instant) -> Void)
            }

            /// Whether the closure may be called: false after ``cancel()``, and from the only call of a timer
            /// that does not repeat, and of a frame; and if the loop is gone.
            public var isActive: Bool { action != nil && loop != nil }

            let number: UInt64
            private var action: Action?
            private weak var loop: FrameLoop?

            init(loop: FrameLoop, number: UInt64, action: Action?) {
                self.loop = loop
                self.number = number
                self.action = action
            }

            /// Ensures that the closure is not called any more, also if it is due in this turn, and releases
            /// it. May be called within the closure, which then runs to its end. Does nothing the second
            /// time. Takes a system call for a watch, and time in proportion to the timers for a timer.
            public func cancel() {
                guard let action else { return }
                self.action = nil
                loop?.remove(self, action)
            }

            func report(_ readiness: Readiness) {
                guard case .watch(_, let watched, let onReady) = action else { return }
                onReady(readiness.intersection(watched))
            }

            func fire() {
                guard case .timer(let repeats, let onTime) = action else { return }
                if !repeats { action = nil }
                onTime()
            }

            func present(at time: ContinuousClock.Instant) {
                guard case .frame(let onFrame) = action else { return }
                action = nil
                onFrame(time)
            }
        }
    }
#endif
