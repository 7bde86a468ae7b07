import ArgumentParser
import FeedKit
import Foundation

/// The program: a document of 20,000 × 20,000 points in a window, or a tour of it without one.
@main struct CanvasCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Canvas",
        abstract: "A large document in an SDL window, drawn in tiles with Cairo off the main thread.",
        usage: "Canvas [options]",
        discussion: """
            Drag or wheel to pan, ctrl and wheel to zoom about the pointer. Keys: arrows pan, + and - zoom, 0 shows a \
            point as a pixel, o shows the tiles, q or escape quits. A click into the frame in the middle puts a caret \
            there; then keys edit, escape ends it, and the others need ctrl.

            Exit status: 0 done, 64 wrong usage, 65 the input is no GeoJSON or a screenshot is not as it should be, \
            66 no input, 69 no display, 73 a file cannot be written.
            """)

    @Option(parsing: .unconditional, help: "Another number makes another document.")
    var seed: UInt64 = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Shapes, labels and pictures in the document, 1 to 200000. (default: 14000)", valueName: "count"),
        transform: { try OptionValue.wholeNumber($0, in: 1...200_000) })
    var items = 14_000

    @Option(
        help: ArgumentHelp(
            "Show this GeoJSON instead, of at most 64 MiB. \(OptionValue.dashNote("input"))",
            valueName: "file"),
        transform: OptionValue.path)
    var input: String?

    @Option(
        help: ArgumentHelp(
            """
            Make a tour by itself, write a PNG file at each stop, compare it with the same part drawn at once, and \
            quit. Needs no display. \(OptionValue.dashNote("screenshots"))
            """, valueName: "folder"),
        transform: OptionValue.path)
    var screenshots: String?

    /// Prints the help if it is requested, with any other arguments.
    static func main() { main(HelpRequest.alone(in: Array(CommandLine.arguments.dropFirst()))) }

    func run() throws {
        do {
            // The entry point runs on the main thread.
            try MainActor.assumeIsolated { try runCanvas() }
        } catch let error as ProgramError {
            StandardError.write("Canvas: \(error)\n")
            throw ExitCode(error.code.rawValue)
        }
    }

    @MainActor
    private func runCanvas() throws {
        let scene: Scene
        if let input {
            scene = try GeoJSON(contentsOfFile: input).scene(size: Scene.size) { problem in
                StandardError.write("Canvas: '\(input)': \(problem)\n")
            }
        } else {
            var generator = SceneGenerator(seed: seed)
            scene = try generator.scene(count: items, free: CanvasDocument.textFrame.inset(by: -20))
        }
        if let screenshots {
            var tour = try Tour(scene, folder: screenshots) { print($0) }
            try tour.run()
        } else {
            // A map is seen whole, as far as it can be.
            try CanvasProgram(scene, scale: input == nil ? 1 : Viewport.scales.lowerBound).run()
        }
    }
}
