import Foundation
import QueuePoolsTopology

/// What figures depend on and readers must know.
struct MachineFacts {
    let rows: [(name: String, value: String)]

    /// The facts in one line, for pictures.
    var line: String { rows.map(\.value).joined(separator: " · ").replacingOccurrences(of: "`", with: "") }

    /// Looks around.
    ///
    /// - Parameter peers: the versions of what is compared with, where they are not the system's own.
    static func current(peers: String?) -> MachineFacts {
        let topology = CPUTopology.current()
        let online = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let nodes = topology.nodes.count
        return MachineFacts(
            rows: [
                (
                    "processor",
                    "\(processorModel ?? "unknown"), \(online) online, \(topology.activeProcessorCount) usable"
                        + (nodes > 1 ? ", \(nodes) NUMA nodes" : "")
                ),
                ("system", [distribution, kernel].compactMap(\.self).joined(separator: ", ")),
                ("compiler", "Swift \(swiftVersion)"),
                ("user", geteuid() == 0 ? "root" : "not root (user \(geteuid()))"),
            ] + (peers.map { [("peers", $0)] } ?? []))
    }

    private static var processorModel: String? {
        value(of: "model name", in: "/proc/cpuinfo", separator: ":")
    }

    private static var distribution: String? {
        value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")?
            .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }

    private static var kernel: String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        // Without what a distributor or a provider has added: it is no fact of performance.
        let release = text(names.release).prefix { $0 != "-" }
        return "\(text(names.sysname)) \(release) \(text(names.machine))"
    }

    /// The version of the toolchain on the path, which is the one that `swift run` has just built the program
    /// with.
    private static var swiftVersion: String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "--version"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            if let version = text.firstMatch(of: /Swift version ([0-9.]+)/) { return String(version.1) }
        } catch {
            // Without a toolchain on the path, what the compiler knew of itself has to do.
        }
        #if compiler(>=6.4)
            return "6.4 or later"
        #elseif compiler(>=6.3)
            return "6.3"
        #else
            return "6.2"
        #endif
    }

    private static func value(of key: String, in file: String, separator: Character) -> String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key {
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }
}
