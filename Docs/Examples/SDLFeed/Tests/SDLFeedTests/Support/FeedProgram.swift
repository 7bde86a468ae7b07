import Foundation

@testable import SDLFeed

/// The program as a process of its own.
final class FeedProgram {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    /// Ends with the process. (`waitUntilExit` runs a run loop, which the main actor of a test has none of.)
    private let end: AsyncStream<Void>

    /// Starts it.
    ///
    /// - Parameter display: for its window; nil has none.
    init(_ arguments: [String], display: String? = nil) throws {
        // The tests' own program lies beside it.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "SDLFeed")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = display
        environment["SDL_VIDEODRIVER"] = "x11"
        environment["SDL_RENDER_DRIVER"] = "software"
        process.environment = environment
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        process.terminationHandler = { _ in continuation.finish() }
        process.standardOutput = output
        process.standardError = errors
        try process.runWithSignals()
    }

    /// Waits for its end. It writes less than a pipe holds.
    nonisolated(nonsending) func result() async throws -> Result {
        for await _ in end {}
        func text(_ pipe: Pipe) throws -> String {
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return Result(status: process.terminationStatus, output: try text(output), errors: try text(errors))
    }

    nonisolated(nonsending) static func run(
        _ arguments: [String], display: String? = nil
    ) async throws -> Result {
        try await FeedProgram(arguments, display: display).result()
    }
}

extension Process {
    /// Starts the process with no signal blocked. It inherits what the calling thread blocks, and Dispatch's
    /// threads block nearly all: a child of theirs would not hear that it is to end.
    func runWithSignals() throws {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try run()
    }
}

/// A folder for files, removed with its owner.
final class ProgramFiles {
    private let url = FileManager.default.temporaryDirectory.appending(path: "SDLFeedTests-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func figures(_ name: String) throws -> Figures {
        try JSONDecoder().decode(Figures.self, from: Data(contentsOf: URL(filePath: path(name))))
    }
}
