import ArgumentParser
import Foundation

/// Files that the results go to. A run takes minutes: what cannot be written is refused before it begins.
enum OutputFile {
    static func check(_ path: String, option: String) throws {
        guard !path.isEmpty else { throw ValidationError("\(option) needs the name of a file") }
        let files = FileManager.default
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw ValidationError("\(option): \(path) is a folder") }
            guard files.isWritableFile(atPath: path) else {
                throw ValidationError("\(option): \(path) cannot be written to")
            }
            return
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw ValidationError("\(option): there is no folder \(folder)")
        }
        guard files.isWritableFile(atPath: folder) else {
            throw ValidationError("\(option): no file can be made in \(folder)")
        }
    }
}
