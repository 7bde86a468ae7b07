import AsyncLayers
import CairoRendering
import QueuePools

/// A cell of the feed: a layer, and the post that it shows. Used again for another post when its row has left.
@MainActor
final class FeedCell: AsyncLayerDelegate {
    let layer: AsyncLayer<CairoRenderer>
    private(set) var post: Post?
    /// True from when a picture is asked for until it is there, or cannot be drawn.
    private(set) var isWaiting = false
    /// True if the picture that was asked for last cannot be drawn.
    private(set) var hasFailed = false
    /// True once a frame has shown the post's picture.
    var wasSeen = false

    private let drawing: CellDrawing
    private var skeleton: CairoImage
    private var layout: CellLayout?
    private var tier = QoSTier.userInitiated
    /// Which request is the newest: passes of older ones may end after it was made.
    private var request = 0

    /// What the picture depends on: nothing else of a post ever changes.
    private struct Key: Hashable, Sendable {
        let number: Int
        let isLiked: Bool
    }

    private let pictureIsFinished: @MainActor (Post) -> Void
    private let pictureHasFailed: @MainActor (Post, any Error) -> Void

    /// Makes a cell that shows nothing yet.
    ///
    /// - Parameters:
    ///   - pictureIsFinished: called when a post's picture is there.
    ///   - pictureHasFailed: called when it cannot be drawn, once for each time that it was asked for.
    init(
        _ setting: CellSetting, pictureIsFinished: @escaping @MainActor (Post) -> Void,
        pictureHasFailed: @escaping @MainActor (Post, any Error) -> Void
    ) {
        self.pictureIsFinished = pictureIsFinished
        self.pictureHasFailed = pictureHasFailed
        drawing = setting.drawing
        skeleton = setting.skeleton
        layer = AsyncLayer(renderer: CairoRenderer(), cache: setting.cache)
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = CellStyle.page
        layer.displaysAsynchronously = setting.displaysAsynchronously
        layer.delegate = self
    }

    /// True if there is nothing of the post to be seen yet.
    var isBlank: Bool { layer.contents == nil || layer.showsPlaceholder }

    /// Begins to show a post.
    ///
    /// - Parameter isInView: one that is not yet is drawn after all that are.
    func show(_ post: Post, _ layout: CellLayout, isInView: Bool) {
        self.layout = layout
        layer.bounds = Rect(size: layout.size)
        tier = isInView ? .userInitiated : .default
        update(post)
    }

    /// Shows another state of the same post; what is shown stays until the new picture is there.
    func update(_ post: Post) {
        self.post = post
        request += 1
        hasFailed = false
        isWaiting = true
        layer.setNeedsDisplay()
    }

    /// The post has come into view: now its picture is urgent.
    func comeIntoView() {
        guard tier != .userInitiated else { return }
        tier = .userInitiated
        if isWaiting { layer.move(to: tier) }
    }

    /// The window has come to a display with other pixels; what is shown stays until it is drawn for that.
    func change(scale: Double, skeleton: CairoImage) {
        layer.contentsScale = scale
        self.skeleton = skeleton
        if let post { update(post) }
    }

    /// Stops what is being drawn and lets the picture go, which belongs to a post that has left.
    func recycle() {
        post = nil
        request += 1
        hasFailed = false
        isWaiting = false
        wasSeen = false
        layer.cancelDisplay()
        // A pass without a task empties the layer.
        layer.display()
    }

    func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
        guard let post, let layout else { return nil }
        return DisplayTask(
            key: Key(number: post.number, isLiked: post.isLiked), tier: tier, placeholder: skeleton,
            didDisplay: { [weak self, request] in self?.passEnded($0, of: post, request: request) },
            draw: { [drawing] context, scope in
                try drawing.draw(post, layout, in: context, scope: scope)
            })
    }

    private func passEnded(_ outcome: DisplayOutcome, of post: Post, request: Int) {
        // An older picture may be there in the meantime; the newest is still waited for.
        let isNewest = request == self.request
        switch outcome {
        case .committed:
            if isNewest { isWaiting = false }
            pictureIsFinished(post)
        case .failed(let error):
            guard isNewest, !hasFailed else { return }
            isWaiting = false
            hasFailed = true
            pictureHasFailed(post, error)
        case .superseded, .cancelled: break  // something newer is on its way, or nothing is wanted
        }
    }
}

/// What all cells have in common.
struct CellSetting {
    /// Pixels per point.
    var scale: Double
    let drawing: CellDrawing
    /// Shown by a cell that has nothing else to show.
    var skeleton: CairoImage
    /// Pictures of posts that have left, in case the reader turns round.
    let cache: ContentsCache<CairoRenderer>
    /// False draws on the main thread, to be compared with.
    let displaysAsynchronously: Bool
}
