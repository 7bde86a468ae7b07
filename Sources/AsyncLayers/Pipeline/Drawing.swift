import QueuePools

/// One drawing, from a new context to a finished picture, but for what is drawn (``DrawWork``).
struct Drawing: Sendable {
    /// One context for the whole picture, or one for each tile.
    enum Contexts: Sendable {
        case whole(ContextDescription)
        case tiles([ContextDescription])

        var descriptions: [ContextDescription] {
            switch self {
            case .whole(let description): [description]
            case .tiles(let descriptions): descriptions
            }
        }
    }

    let contexts: Contexts
    let background: Color?
    let scope: DrawScope
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
        switch self {
        case .stopped(.waiting): false
        case .failed(let error): !(error is PoolError)
        case .stopped, .finished: true
        }
    }

    /// True when there is a picture.
    var isFinished: Bool {
        if case .finished = self { true } else { false }
    }
}
