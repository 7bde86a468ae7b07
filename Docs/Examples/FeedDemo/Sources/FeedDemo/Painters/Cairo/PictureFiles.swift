#if Cairo
    import CairoRendering
    import Foundation

    /// Finds the pictures that cells show.
    enum PictureFiles {
        /// The names' endings that are read, in lower case.
        static let extensions: Set<String> = ["png", "jpg", "jpeg"]

        /// The pictures of a folder, sorted by name, and no more than ``Options/Limits/images``; those of the
        /// package when no folder is given. Each is read once, so that one that cannot be shown is known before
        /// anything is measured.
        ///
        /// - Throws: ``DemoError`` with `.noInput` for what is missing or unreadable, and `.badData` for a folder
        ///   without pictures and for a file that is none.
        static func find(_ folder: String?) throws -> [String] {
            let folder = try folder ?? defaultFolder()
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder)
            } catch {
                let isThere = FileManager.default.fileExists(atPath: folder)
                throw DemoError(
                    .noInput, isThere ? "cannot list '\(folder)'" : "there is no folder '\(folder)'")
            }
            let url = URL(fileURLWithPath: folder, isDirectory: true)
            let files = names.filter { !$0.hasPrefix(".") }.map { url.appendingPathComponent($0) }
                .filter { extensions.contains($0.pathExtension.lowercased()) }
                .map(\.path).sorted().prefix(Options.Limits.images)
            guard !files.isEmpty else {
                throw DemoError(.badData, "the folder '\(folder)' holds no .png, .jpg or .jpeg file")
            }
            for file in files { try check(file) }
            return Array(files)
        }

        /// The package's own pictures, below the folder that ``InputFiles/packageFolders(currentFolder:sourceFile:)``
        /// finds its documents in.
        static func defaultFolder(in packages: [URL] = InputFiles.packageFolders()) throws -> String {
            let folders = packages.map { $0.appendingPathComponent("Docs/Examples/Images").path }
            guard let folder = folders.first(where: FileManager.default.fileExists(atPath:)) else {
                throw DemoError(
                    .noInput,
                    "the package's own Docs/Examples/Images are not to be found; name a folder with --images")
            }
            return folder
        }

        private static func check(_ file: String) throws {
            do throws(ImageError) {
                _ = try ImageDecoder().decode(contentsOfFile: file)
            } catch .unreadable {
                throw DemoError(.noInput, "cannot read '\(file)'")
            } catch {
                throw DemoError(.badData, "'\(file)' cannot be shown: \(error)")
            }
        }
    }
#endif
