#if os(Linux)
    import Foundation
    import TestSupport

    /// Runs the program `TopologyProbe`, which prints what the library sees from inside a process of its own.
    enum Probe {
        /// Where the built program lies.
        static func path() throws -> String { try ChildProgram("TopologyProbe").path }

        /// How to confine a process to one CPU: by the program's own option, and by the tool `taskset` of
        /// util-linux where it is installed.
        static var waysToConfine: [String] {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let hasTool = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/taskset") }
            return hasTool ? ["--pin", "taskset"] : ["--pin"]
        }

        /// The lines that the command prints; throws unless it ends with status 0.
        static func run(_ command: [String]) throws -> [String] { try ChildProgram.run(command) }
    }
#endif
