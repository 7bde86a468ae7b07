import FeedKit
import Foundation

/// Finds the files that a feed is made from.
enum InputFiles {
    /// The names' endings that are read inside folders, in lower case. A file that is named by itself is read
    /// whatever it is called.
    static let extensions: Set<String> = ["md", "markdown", "txt", "text"]

    /// Folders that hold what tools made, in lower case; passed over while a folder is walked.
    static let buildFolders: Set<String> = [
        "build", "carthage", "deriveddata", "dist", "node_modules", "pods", "target",
    ]

    /// The files under the given paths: the paths in their order, the files of each folder sorted by path, no
    /// file twice. Links to folders are not followed inside a folder, so a cycle does no harm.
    ///
    /// - Throws: ``ProgramError`` for a path that is missing, is neither file nor folder, or cannot be
    ///   listed.
    static func find(_ paths: [String]) throws -> [URL] {
        var files: [URL] = []
        var seen: Set<String> = []
        for path in paths {
            for file in try listing(at: path) where seen.insert(file.resolvingSymlinksInPath().path).inserted
            {
                files.append(file)
            }
        }
        return files
    }

    /// The checkout's own README.md and Docs, whichever exist: below the current folder if that is the
    /// checkout, else where this program was compiled.
    ///
    /// - Throws: ``ProgramError`` when neither exists.
    static func defaultPaths(in folders: [URL] = Checkout.folders()) throws -> [String] {
        for root in folders {
            let found = ["README.md", "Docs"].map { root.appendingPathComponent($0).path }
                .filter { FileManager.default.fileExists(atPath: $0) }
            if !found.isEmpty { return found }
        }
        throw ProgramError(.noInput, "the checkout's README.md and Docs are missing; name files with --input")
    }

    private static func listing(at path: String) throws -> [URL] {
        let url = URL(fileURLWithPath: path)
        switch kind(of: url.resolvingSymlinksInPath().path) {
        case .typeDirectory: return try walk(url, depth: 0).sorted { $0.path < $1.path }
        case .typeRegular: return [url]
        // A link that is still one after resolving leads nowhere.
        case nil, .typeSymbolicLink: throw ProgramError(.noInput, "there is no '\(path)'")
        // A pipe or a device may never end.
        default: throw ProgramError(.noInput, "'\(path)' is neither a file nor a folder")
        }
    }

    private static func walk(_ folder: URL, depth: Int) throws -> [URL] {
        guard depth < 64 else { throw ProgramError(.noInput, "'\(folder.path)' is nested too deeply") }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw ProgramError(.noInput, "cannot list the folder '\(folder.path)'")
        }
        var files: [URL] = []
        for name in names where !name.hasPrefix(".") {
            let url = folder.appendingPathComponent(name)
            switch kind(of: url.path) {
            case .typeDirectory where !buildFolders.contains(name.lowercased()):
                files += try walk(url, depth: depth + 1)
            case .typeRegular where extensions.contains(url.pathExtension.lowercased()):
                files.append(url)
            case .typeSymbolicLink where extensions.contains(url.pathExtension.lowercased()):
                if kind(of: url.resolvingSymlinksInPath().path) == .typeRegular { files.append(url) }
            default: continue
            }
        }
        return files
    }

    /// What lies at a path, links not followed; nil when nothing does.
    private static func kind(of path: String) -> FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType
    }
}
