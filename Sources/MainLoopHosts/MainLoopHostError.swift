/// Why a main loop cannot be a host.
public struct MainLoopHostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: Hashable, Sendable {
        /// The calling thread is not the one that the process began with, as after `dispatchMain()` and under
        /// `@main async`. Only that thread may serve the main queue.
        case notOnMainThread
        /// Another host serves the main thread.
        case alreadyHosted
        /// GLib is not loaded in this process, or is older than 2.36.
        case noGLib
        /// The system has no descriptor or no thread to give.
        case system
    }

    /// What kind of reason this is, for programs.
    public let code: Code

    /// What was wrong, in words, for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let notOnMainThread = MainLoopHostError(
        .notOnMainThread,
        "the main queue can be served by the process's first thread only, from synchronous code")

    static let alreadyHosted = MainLoopHostError(
        .alreadyHosted, "another loop serves the main thread; invalidate its host first")
}
