import Foundation

/// The folder that the report goes to.
struct OutputFolder: Sendable {
    private let url: URL

    /// Makes the folder, and those above it, where they are missing. Done before anything is measured, so
    /// that a place that cannot be written is known at once.
    ///
    /// - Throws: ``DemoError`` with the code `.cannotCreate`.
    init(path: String) throws {
        url = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw DemoError(.cannotCreate, "cannot make the folder '\(path)'")
        }
        guard FileManager.default.isWritableFile(atPath: url.path) else {
            throw DemoError(.cannotCreate, "cannot write into the folder '\(path)'")
        }
    }

    /// Where a file of the folder is.
    func path(of name: String) -> String {
        url.appendingPathComponent(name).relativePath
    }

    /// Writes a file in one step.
    func write(_ data: Data, as name: String) throws {
        do {
            try data.write(to: url.appendingPathComponent(name), options: .atomic)
        } catch {
            throw DemoError(.cannotCreate, "cannot write '\(path(of: name))'")
        }
    }
}
