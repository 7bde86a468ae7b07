import AsyncLayers
import Locks
import TestSupport

/// Draws nothing but who drew it and what for, and knows how many pictures and contexts there are.
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

/// The bytes of the contexts that are being drawn into, counted by the draws themselves. *Thread-safe.*
final class ByteMeter: Sendable {
    private let state = Lock((now: 0, peak: 0))

    func add(_ bytes: Int) {
        state.withLock { state in
            state.now += bytes
            state.peak = max(state.peak, state.now)
        }
    }

    func remove(_ bytes: Int) { state.withLock { $0.now -= bytes } }

    var bytes: Int { state.withLock { $0.now } }
    var peak: Int { state.withLock { $0.peak } }
}
