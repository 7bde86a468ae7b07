import FeedKit
import Foundation

/// The results of a run, and the files that they are written to.
struct Report: Sendable {
    let summary: Summary
    /// What each renderer's runs have left, in the order in which they ran.
    let renderers: [RendererRun]
    /// The arguments as they were typed, the program's name left out.
    let arguments: [String]

    /// Sums up a run.
    init(feed: Feed, options: FeedDemoOptions, renderers: [RendererRun], arguments: [String]) {
        summary = Summary(feed: feed, options: options, renderers: renderers)
        self.renderers = renderers
        self.arguments = arguments
    }

    /// Writes `summary.json`, `report.html` and the screenshots that there are, each in one step: what was
    /// there before stays until the new file is complete.
    ///
    /// - Throws: ``ProgramError`` with the code `.cannotCreate`.
    func write(to folder: OutputFolder) throws {
        try folder.write(summary.json(), as: "summary.json")
        for run in renderers {
            if let screenshot = run.screenshot {
                try folder.write(Data(screenshot), as: run.renderer.screenshotName())
            }
            for picture in run.midScroll {
                try folder.write(Data(picture.png), as: run.renderer.screenshotName(picture.mode))
            }
        }
        try folder.write(Data(HTMLReport.page(self).utf8), as: "report.html")
    }
}

/// The folder that the report goes to.
struct OutputFolder: Sendable {
    private let url: URL

    /// Makes the folder, and those above it, where they are missing. Done before anything is measured, so
    /// that a place that cannot be written is known at once.
    ///
    /// - Throws: ``ProgramError`` with the code `.cannotCreate`.
    init(path: String) throws {
        url = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw ProgramError(.cannotCreate, "cannot make the folder '\(path)'")
        }
        guard FileManager.default.isWritableFile(atPath: url.path) else {
            throw ProgramError(.cannotCreate, "cannot write into the folder '\(path)'")
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
            throw ProgramError(.cannotCreate, "cannot write '\(path(of: name))'")
        }
    }
}
