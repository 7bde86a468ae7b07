/// One draw: what makes a picture of the newest state.
struct Draw: Sendable {
    private enum Result {
        case new(number: Int, byteCount: Int)
        case finished(Picture)
    }

    /// What the picture shows, where contenders that can are to keep it.
    let key: Int?
    private let result: Result
    private let work: (@Sendable (_ share: Double, _ isCancelled: () -> Bool) -> Void)?

    /// - Parameters:
    ///   - number: what the picture will bear.
    ///   - key: what it shows; nil where it is not to be cached.
    ///   - byteCount: how much memory it will take.
    ///   - work: what drawing computes, or a share of it for a draft, looking now and then whether it is
    ///     still wanted.
    init(
        number: Int, key: Int? = nil, byteCount: Int = 0,
        work: (@Sendable (_ share: Double, _ isCancelled: () -> Bool) -> Void)? = nil
    ) {
        self.key = key
        result = .new(number: number, byteCount: byteCount)
        self.work = work
    }

    /// A draw that has nothing left to do.
    init(finished picture: Picture) {
        key = nil
        result = .finished(picture)
        work = nil
    }

    /// What the picture will bear.
    var number: Int {
        switch result {
        case .new(let number, _): number
        case .finished(let picture): picture.number
        }
    }

    @inline(__always)
    func makePicture(share: Double = 1, _ isCancelled: () -> Bool) -> Picture {
        work?(share, isCancelled)
        switch result {
        case .new(let number, let byteCount): return Picture(number: number, byteCount: byteCount)
        case .finished(let picture): return picture
        }
    }
}

/// Says what a layer is to draw.
@MainActor
protocol DrawSource: AnyObject {
    /// Asked whenever a pass begins.
    func nextDraw() -> Draw
}

/// A source that does not keep the one alive which it asks: for those that own the layer.
@MainActor
final class UnownedSource: DrawSource {
    private unowned let source: any DrawSource

    init(_ source: any DrawSource) {
        self.source = source
    }

    func nextDraw() -> Draw { source.nextDraw() }
}

/// A source of draws that compute nothing.
@MainActor
final class EmptyDraws: DrawSource {
    /// What the pictures of the next passes bear.
    var number = 0
    private let byteCount: Int

    init(byteCount: Int = 0) {
        self.byteCount = byteCount
    }

    func nextDraw() -> Draw { Draw(number: number, byteCount: byteCount) }
}

/// A source whose draws all end in the same picture, so that what layers show takes no memory of theirs.
@MainActor
final class SharedPicture: DrawSource {
    private let picture = Picture(number: 0)

    func nextDraw() -> Draw { Draw(finished: picture) }
}
