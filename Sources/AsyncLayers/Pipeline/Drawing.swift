/// One drawing, from a new context to a finished picture, but for what is drawn (``DrawWork``).
struct Drawing: Sendable {
    let size: Size
    /// The whole picture.
    let description: ContextDescription
    /// The parts that it is drawn in, one after the other; nil if that is one context for the whole.
    var tiles: [ContextDescription]?
    let background: Color?

    /// The contexts that are drawn into.
    var contexts: [ContextDescription] { tiles ?? [description] }

    /// What a draw closure may know.
    func scope(_ latch: DrawLatch?) -> DrawScope {
        DrawScope(size: size, scale: description.scale, isOpaque: description.isOpaque, latch: latch)
    }
}

/// What a drawing came to.
enum DrawResult: Sendable {
    case finished(Parcel<Picture>)
    case stopped(DisplayStage)
    case failed(any Error)

    /// The same for one more pass.
    func copy() -> DrawResult {
        if case .finished(let parcel) = self { .finished(parcel.copy()) } else { self }
    }

    /// False when nothing was drawn, not even in part.
    var hasDrawn: Bool {
        if case .stopped(.waiting) = self { false } else { true }
    }

    /// True when there is a picture.
    var isFinished: Bool {
        if case .finished = self { true } else { false }
    }
}
