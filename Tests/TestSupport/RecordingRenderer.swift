package import AsyncLayers
import Synchronization

/// A renderer that draws words instead of pixels, and can be told to fail.
package struct RecordingRenderer: Renderer {
    /// The error of a renderer that was told to fail.
    package struct Failure: Error, Equatable {
        package let step: String
    }

    /// A list of what was drawn.
    package final class Context {
        package let description: ContextDescription
        package var commands: [String] = []

        init(_ description: ContextDescription) { self.description = description }
    }

    /// A finished list.
    package final class Picture: Sendable {
        package let description: ContextDescription
        package let commands: [String]
        private let onRelease: @Sendable () -> Void

        init(_ context: Context, onRelease: @escaping @Sendable () -> Void) {
            description = context.description
            commands = context.commands
            self.onRelease = onRelease
        }

        deinit { onRelease() }
    }

    /// The step that throws a ``Failure``: "context", "contents", or none.
    package var failingStep: String?

    /// Called when a picture is released, on the releasing thread.
    package var onRelease: @Sendable () -> Void = {}

    /// Contexts made so far.
    package let contextsMade = Counter()

    /// How often bytes were counted.
    package let byteCounts = Counter()

    package init() {}

    package func byteCount(of description: ContextDescription) -> Int {
        byteCounts.increment()
        return description.pixelWidth * description.pixelHeight * 4
    }

    package func makeContext(_ description: ContextDescription) throws -> Context {
        if failingStep == "context" { throw Failure(step: "context") }
        contextsMade.increment()
        return Context(description)
    }

    package func fill(_ context: Context, with color: Color) {
        context.commands.append("fill \(color.red),\(color.green),\(color.blue),\(color.alpha)")
    }

    package func makeContents(from context: Context) throws -> Picture {
        if failingStep == "contents" { throw Failure(step: "contents") }
        return Picture(context, onRelease: onRelease)
    }
}

/// Words of a picture are taken over where the picture is drawn.
extension RecordingRenderer: CompositingRenderer {
    package func draw(_ contents: Picture, into context: Context, placed placement: ContentsPlacement) {
        context.commands += contents.commands
    }
}
