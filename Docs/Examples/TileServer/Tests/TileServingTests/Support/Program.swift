import Foundation
import Synchronization

/// A program of this package in a process of its own, and what it prints.
final class Program: Sendable {
    struct Failure: Error { let description: String }

    let identifier: Int32
    private let notes = Notes()

    /// What the thread that reads shares with the test.
    private final class Notes: Sendable {
        private let state = Mutex<(text: String, status: Int32?)>(("", nil))

        func withLock<Result: Sendable>(_ body: (inout (text: String, status: Int32?)) -> Result) -> Result {
            state.withLock { body(&$0) }
        }
    }

    /// Starts it. SwiftPM puts all products of a build into one folder, so it lies beside the running test
    /// program.
    convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, arguments) }

    /// - Parameter limits: what a shell does before, such as `ulimit -n 256`.
    init(_ name: String, _ arguments: [String], limits: String = "") throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        let program = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: name)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(limits)\nexec \"$0\" \"$@\"", program.path] + arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        identifier = process.processIdentifier
        // A thread that reads to the end, then waits for the end.
        Thread.detachNewThread { [notes, file = pipe.fileHandleForReading] in
            while case let data = file.availableData, !data.isEmpty {
                notes.withLock { $0.text += String(decoding: data, as: UTF8.self) }
            }
            process.waitUntilExit()
            notes.withLock { $0.status = process.terminationStatus }
        }
    }

    /// Ends the program with the test that failed to.
    deinit { if status == nil { kill(identifier, SIGKILL) } }

    var output: String { notes.withLock { $0.text } }

    private var status: Int32? { notes.withLock { $0.status } }

    /// The first line that fulfils a condition, once it is there.
    func line(where condition: @Sendable (Substring) -> Bool) async throws -> String {
        func found() -> String? {
            // What has no end yet is no line.
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first(where: condition)
                .map(String.init)
        }
        try await eventually { found() != nil || status != nil }
        guard let line = found() else { throw Failure(description: "it ended and printed:\n\(output)") }
        return line
    }

    /// Where the server listens, once it does.
    func port() async throws -> Int {
        let line = try await line { $0.contains("listening") }
        guard let port = line.split(separator: ":").last.flatMap({ Int($0.dropLast()) }) else {
            throw Failure(description: "no port: \(line)")
        }
        return port
    }

    /// The line that says what went wrong.
    var error: Substring? { output.split(separator: "\n").first { $0.hasPrefix("Error:") } }

    /// How it ended, once it has.
    func end() async throws -> Int32 {
        try await eventually { status != nil }
        return status ?? -1
    }
}
