import AsyncLayers
import TestSupport

/// Draws only its layer and request, and counts its pictures and contexts.
struct StageRenderer: Renderer {
    /// What a picture shows.
    struct Subject: Hashable, Sendable {
        /// The layer, for a picture without a key.
        var player = 0
        /// The pass, for a picture without a key.
        var pass = 0
        var key: Int?
        var isPlaceholder = false
    }

    final class Canvas {
        let description: ContextDescription
        var subject = Subject()

        init(_ description: ContextDescription) { self.description = description }
    }

    final class Picture: Sendable {
        let subject: Subject
        let description: ContextDescription
        let number: Int
        private let living: Counter

        init(_ subject: Subject, _ description: ContextDescription, number: Int, living: Counter) {
            self.subject = subject
            self.description = description
            self.number = number
            self.living = living
        }

        deinit { living.decrement() }
    }

    let livingPictures = Counter()
    private let madePictures = Counter()

    func byteCount(of description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * 4
    }

    func makeContext(_ description: ContextDescription) -> Canvas { Canvas(description) }

    func fill(_ context: Canvas, with color: Color) {}

    func makeContents(from context: Canvas) -> Picture { picture(context.subject, context.description) }

    func picture(_ subject: Subject, _ description: ContextDescription) -> Picture {
        livingPictures.increment()
        return Picture(subject, description, number: madePictures.increment(), living: livingPictures)
    }
}
