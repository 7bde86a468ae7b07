#if os(Linux)
    import Foundation

    /// Runs the program `TopologyProbe`, which prints what the library sees from inside a process of its own.
    enum Probe {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// The built program. SwiftPM puts all products of one build into one folder, so it lies beside the
        /// running test program, whatever the configuration, scratch path or sanitizer.
        static func path() throws -> String {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let path = URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/TopologyProbe"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw Failure(description: "no program at \(path)")
            }
            return path
        }

        /// How to confine a process to one CPU: by the program's own option, and by the tool `taskset` of
        /// util-linux where it is installed.
        static var waysToConfine: [String] {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let hasTool = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/taskset") }
            return hasTool ? ["--pin", "taskset"] : ["--pin"]
        }

        /// The lines that the command prints; throws unless it ends with status 0.
        ///
        /// Not Foundation's `Process`, whose small leaks would drown ours in a run under LeakSanitizer.
        static func run(_ command: [String]) throws -> [Substring] {
            let quoted = command.map { "'" + $0.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
            guard let pipe = popen(quoted.joined(separator: " "), "r") else {
                throw Failure(description: "cannot start \(command)")
            }
            var output: [UInt8] = []
            while case let byte = getc(pipe), byte != EOF {
                output.append(UInt8(truncatingIfNeeded: byte))
            }
            let status = pclose(pipe)
            guard status == 0 else {
                throw Failure(description: "\(command) ended with status \(status)")
            }
            return String(decoding: output, as: UTF8.self).split(separator: "\n")
        }
    }
#endif
