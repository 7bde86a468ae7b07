/// Why a main loop cannot be bridged or made, or a descriptor cannot be watched.
public struct MainLoopBridgeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Equatable, Sendable, CustomStringConvertible {
        /// The calling thread is not the one that the process began with; only that thread may serve the main
        /// queue. No code runs on it after `dispatchMain()`, nor after the first suspension of an
        /// asynchronous main function (`@main async`, top-level code with an `await`). Before that suspension
        /// a bridge can be made there.
        public static var notOnMainThread: Self { Self(kind: .notOnMainThread) }
        /// Another bridge serves the main thread.
        public static var alreadyBridged: Self { Self(kind: .alreadyBridged) }
        /// GLib is not loaded in this process, or is older than 2.36.
        public static var noGLib: Self { Self(kind: .noGLib) }
        /// The descriptor is negative or not open.
        public static var invalidDescriptor: Self { Self(kind: .invalidDescriptor) }
        /// The descriptor is that of a regular file, a folder, or a device such as /dev/null, which the
        /// system does not wait for, because reading and writing never wait there. Read it without a watch.
        /// The standard input is such a descriptor if a file was redirected to it.
        public static var alwaysReady: Self { Self(kind: .alwaysReady) }
        /// The loop watches the descriptor. Cancel that watch first, also if the descriptor was closed since.
        public static var alreadyWatched: Self { Self(kind: .alreadyWatched) }
        /// The frame rate is not between 1 and 1,000 frames a second.
        public static var invalidFrameRate: Self { Self(kind: .invalidFrameRate) }
        /// The system has no descriptor, no memory or no thread available.
        public static var system: Self { Self(kind: .system) }

        /// The name, such as "notOnMainThread".
        public var description: String { kind.rawValue }

        private let kind: Kind

        private enum Kind: String {
            case notOnMainThread, alreadyBridged, noGLib, system
            case invalidDescriptor, alwaysReady, alreadyWatched, invalidFrameRate
        }
    }

    /// The kind of reason, for programs.
    public let code: Code

    /// The reason in words, for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let notOnMainThread = MainLoopBridgeError(
        .notOnMainThread,
        """
        only the process's first thread can serve the main queue, and this is another one; after \
        dispatchMain() and after the first suspension of an asynchronous main function no code runs on the \
        first thread
        """)

    static let alreadyBridged = MainLoopBridgeError(
        .alreadyBridged, "another loop serves the main thread; invalidate its bridge first")
}
