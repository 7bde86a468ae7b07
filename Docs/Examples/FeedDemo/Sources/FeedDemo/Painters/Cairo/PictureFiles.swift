#if Cairo
    import CairoRendering
    import FeedKit

    /// Finds the pictures that cells show.
    enum PictureFiles {
        /// The pictures of a folder, sorted by name, and no more than ``FeedDemoOptions/Limits/images``;
        /// those of the examples when no folder is given. Each is read once, so that one that cannot be shown
        /// is known before anything is measured.
        ///
        /// - Throws: ``ProgramError`` with `.noInput` for what is missing or unreadable, and `.badData` for a
        ///   folder without pictures and for a file that is none.
        static func find(_ folder: String?) throws -> [String] {
            let folder = try folder ?? Checkout.pictures()
            let files = try PictureFolder.files(in: folder).prefix(FeedDemoOptions.Limits.images)
            guard !files.isEmpty else {
                throw ProgramError(.badData, "the folder '\(folder)' holds no .png, .jpg or .jpeg file")
            }
            for file in files { try check(file) }
            return Array(files)
        }

        private static func check(_ file: String) throws {
            do throws(ImageError) {
                _ = try ImageDecoder().decode(contentsOfFile: file)
            } catch .unreadable {
                throw ProgramError(.noInput, "cannot read '\(file)'")
            } catch {
                throw ProgramError(.badData, "'\(file)' cannot be shown: \(error)")
            }
        }
    }
#endif
