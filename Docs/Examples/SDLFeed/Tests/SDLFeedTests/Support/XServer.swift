import Foundation

/// A display in memory (Xvfb), for as long as it is referred to.
final class XServer {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// What `DISPLAY` must be.
    let display: String
    private let process = Process()

    init() throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard
            let path = folders.map({ "\($0)/Xvfb" }).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else { throw Missing(description: "there is no Xvfb; sudo apt-get install xvfb") }
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-displayfd", "1", "-screen", "0", "640x900x24", "-nolisten", "tcp"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.runWithSignals()
        // It writes its number when it is ready.
        var number = Data()
        while !number.contains(UInt8(ascii: "\n")) {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw Missing(description: "Xvfb ended before it was ready") }
            number += bytes
        }
        display =
            ":" + String(decoding: number, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { process.terminate() }
}
