public import Foundation

/// The checkout that an example belongs to: it has the texts and pictures that are shown by default.
public enum Checkout {
    /// Where this file was compiled.
    public static let sourceFile = #filePath

    /// Where the checkout may be: the current folder if that is one, then the folder of the sources.
    ///
    /// - Parameter sourceFile: ``sourceFile``, unless a test says otherwise.
    public static func folders(
        currentFolder: String = FileManager.default.currentDirectoryPath, sourceFile: String = sourceFile
    ) -> [URL] {
        var compiled = URL(fileURLWithPath: sourceFile)
        // Docs/Examples/FeedKit/Sources/FeedKit/Program/Checkout.swift
        for _ in 0..<7 { compiled.deleteLastPathComponent() }
        return [URL(fileURLWithPath: currentFolder), compiled].filter {
            var isFolder: ObjCBool = false
            let path = $0.appendingPathComponent("Docs/Examples/FeedKit").path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
    }

    /// The folder with the examples' pictures.
    ///
    /// - Throws: ``ProgramError`` with the code `.noInput` if it is missing.
    public static func pictures(in folders: [URL] = folders()) throws(ProgramError) -> String {
        let paths = folders.map { $0.appendingPathComponent("Docs/Examples/Images").path }
        guard let path = paths.first(where: FileManager.default.fileExists(atPath:)) else {
            throw ProgramError(
                .noInput, "there is no folder Docs/Examples/Images; name a folder with --images")
        }
        return path
    }
}

/// Finds pictures to be shown.
public enum PictureFolder {
    /// The paths of a folder's PNG and JPEG files, sorted by name, hidden ones left out; empty if there are
    /// none.
    ///
    /// - Throws: ``ProgramError`` with the code `.noInput` if the folder is missing or cannot be listed.
    public static func files(in folder: String) throws(ProgramError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            let exists = FileManager.default.fileExists(atPath: folder)
            throw ProgramError(
                .noInput, exists ? "cannot list '\(folder)'" : "there is no folder '\(folder)'")
        }
        let url = URL(fileURLWithPath: folder, isDirectory: true)
        return names.filter { !$0.hasPrefix(".") }.map { url.appendingPathComponent($0) }
            .filter { ["png", "jpg", "jpeg"].contains($0.pathExtension.lowercased()) }
            .map(\.path).sorted()
    }
}
