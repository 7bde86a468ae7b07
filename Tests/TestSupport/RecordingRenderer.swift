public import AsyncLayers
import Synchronization

/// A renderer that draws words instead of pixels, and can be told to fail.
public struct RecordingRenderer: Renderer {
    /// The error of a renderer that was told to fail.
    public struct Failure: Error, Equatable {
        public let step: String
    }

    /// A list of what was drawn.
    public final class Context {
        public let description: ContextDescription
        public var commands: [String] = []

        init(_ description: ContextDescription) { self.description = description }
    }

    /// A finished list.
    public final class Picture: Sendable {
        public let description: ContextDescription
        public let commands: [String]
        private let onRelease: @Sendable () -> Void

        init(_ context: Context, onRelease: @escaping @Sendable () -> Void) {
            description = context.description
            commands = context.commands
            self.onRelease = onRelease
        }

        deinit { onRelease() }
    }

    /// The step that throws a ``Failure``: "context", "contents", or none.
    public var failingStep: String?

    /// Called when a picture is released, on the releasing thread.
    public var onRelease: @Sendable () -> Void = {}

    /// Contexts made so far.
    public let contextsMade = Counter()

    public init() {}

    public func byteCount(of description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * 4
    }

    public func makeContext(_ description: ContextDescription) throws -> Context {
        if failingStep == "context" { throw Failure(step: "context") }
        contextsMade.increment()
        return Context(description)
    }

    public func fill(_ context: Context, with color: Color) {
        context.commands.append("fill \(color.red),\(color.green),\(color.blue),\(color.alpha)")
    }

    public func makeContents(from context: Context) throws -> Picture {
        if failingStep == "contents" { throw Failure(step: "contents") }
        return Picture(context, onRelease: onRelease)
    }
}
