import Foundation

/// A program that a test runs in a process of its own.
struct Program {
    /// Why a program did not do what it should.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    var environment = ProcessInfo.processInfo.environment

    /// Finds a program of this package: SwiftPM puts all products of one build into one folder.
    init(_ name: String) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        path = URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(description: "no program at \(path)")
        }
    }

    /// Finds a program of the system's; throws an error that names the package that brings it.
    init(_ name: String, package: String) throws {
        let folders = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw Failure(description: "the test needs \(name): apt-get install \(package)")
        }
        self.path = path
    }

    /// Starts the program, which is killed after a while: none of the tests' programs takes that long.
    func start(_ arguments: [String], limit: Duration = .seconds(90)) throws -> RunningProgram {
        try RunningProgram([path] + arguments, environment, limit: limit)
    }

    /// Runs the program and gives the lines that it prints; throws unless it ends with the expected status.
    @discardableResult
    func run(_ arguments: [String], status: Int32 = 0) throws -> [String] {
        let running = try start(arguments)
        let lines = running.remainingLines()
        let ended = running.wait()
        guard ended == status else {
            throw Failure(
                description: "\(path) \(arguments) ended with \(ended) and printed:\n"
                    + lines.joined(separator: "\n"))
        }
        return lines
    }
}
