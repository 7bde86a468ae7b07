import Foundation

/// A program of this package that a test runs in a process of its own.
struct Program {
    /// Why a program did not do what it should.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    var environment = ProcessInfo.processInfo.environment

    /// Finds the built program: SwiftPM puts all products of one build into one folder.
    init(_ name: String) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        path = URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(description: "no program at \(path)")
        }
    }

    /// Runs the program and gives the lines that it prints; throws unless it ends with the expected status.
    func run(_ arguments: [String], status: Int32 = 0) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationReason == .exit, process.terminationStatus == status else {
            throw Failure(
                description:
                    "\(path) \(arguments) ended with \(process.terminationStatus) and printed:\n\(text)")
        }
        return text.split(separator: "\n").map(String.init)
    }
}
