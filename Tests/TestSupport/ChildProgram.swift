#if os(Linux)
    import Foundation

    /// A program of this package that a test runs in a process of its own, and whose lines it reads.
    package struct ChildProgram: Sendable {
        /// Why a child did not do what it should.
        package struct Failure: Error, CustomStringConvertible {
            /// What happened, with the child's output.
            package let description: String
        }

        /// Where the program lies.
        package let path: String

        /// Finds the built program. SwiftPM puts all products of one build into one folder, so it lies beside
        /// the running test program, whatever the configuration, scratch path or sanitizer.
        package init(_ name: String) throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            path = URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/" + name
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw Failure(description: "no program at \(path)")
            }
        }

        /// Runs the program and returns the lines that it prints; throws unless it ends with status 0.
        package func run(_ arguments: [String] = []) throws -> [String] {
            try Self.run([path] + arguments)
        }

        /// Runs any command and returns the lines that it prints; throws unless it ends with status 0.
        ///
        /// Not Foundation's `Process`, whose small leaks would drown ours in a run under LeakSanitizer.
        package static func run(_ command: [String]) throws -> [String] {
            let quoted = command.map { "'" + $0.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
            // Closed in other children, which would keep this pipe open.
            guard let pipe = popen(quoted.joined(separator: " "), "re") else {
                throw Failure(description: "cannot start \(command)")
            }
            var output: [UInt8] = []
            while case let byte = getc(pipe), byte != EOF {
                output.append(UInt8(truncatingIfNeeded: byte))
            }
            let status = pclose(pipe)
            let text = String(decoding: output, as: UTF8.self)
            guard status == 0 else {
                throw Failure(description: "\(command) ended with status \(status) and printed:\n\(text)")
            }
            return text.split(separator: "\n").map(String.init)
        }
    }
#endif
