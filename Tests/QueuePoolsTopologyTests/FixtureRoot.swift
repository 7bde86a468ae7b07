import Foundation

/// A temporary folder that stands for `/` and holds made-up kernel files; it is removed with the last
/// reference.
final class FixtureRoot {
    let path: String

    init(_ files: [String: String]) throws {
        path = NSTemporaryDirectory() + "topology-\(UUID().uuidString)"
        for (name, text) in files {
            try write(Data(text.utf8), to: name)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes one file, and makes the folders that it needs.
    func write(_ data: Data, to name: String) throws {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
