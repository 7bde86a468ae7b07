import AsyncLayers
import Dispatch
import Synchronization

/// Describes the passes of a layer.
@MainActor
protocol YYAsyncLayerDelegate: AnyObject {
    func displayTask() -> YYDisplayTask
}

/// One pass of a layer.
struct YYDisplayTask {
    var willDisplay: (@MainActor @Sendable () -> Void)?
    var display: (@Sendable (_ context: PictureContext, _ isCancelled: () -> Bool) -> Void)?
    var didDisplay: (@MainActor @Sendable (_ isFinished: Bool) -> Void)?
}

/// YYAsyncLayer's algorithm (2015), written again for comparison, with its faults: only an invalidation makes
/// a draw stale, a stale draw ends without a picture however long none was shown, and what waits on a queue
/// stays there.
@MainActor
final class YYAsyncLayer {
    weak var delegate: (any YYAsyncLayerDelegate)?
    var size = Size(width: 0, height: 0)
    var scale = 1.0
    var isOpaque = false
    private(set) var contents: Picture?

    private let host: YYAsyncLayerHost
    private let sentinel = YYSentinel()
    private var needsDisplay = false

    init(host: YYAsyncLayerHost) {
        self.host = host
    }

    /// Makes the draws in flight stale, and marks the layer for the end of the turn.
    func setNeedsDisplay() {
        sentinel.increase()
        guard !needsDisplay else { return }
        needsDisplay = true
        host.displayAtEndOfTurn(self)
    }

    func displayIfNeeded() {
        guard needsDisplay else { return }
        needsDisplay = false
        display()
    }

    private func display() {
        guard let task = delegate?.displayTask(), let draw = task.display else {
            contents = nil
            return
        }
        task.willDisplay?()
        let (sentinel, generation) = (sentinel, sentinel.value)
        let isCancelled: @Sendable () -> Bool = { sentinel.value != generation }
        let (size, scale, isOpaque) = (size, scale, isOpaque)
        guard size.width * scale >= 1, size.height * scale >= 1 else {
            let old = contents
            contents = nil
            if let old { host.release(old) }
            task.didDisplay?(true)
            return
        }
        host.nextQueue.async {
            let renderer = PictureRenderer()
            guard !isCancelled() else { return }
            let context = renderer.makeContext(
                ContextDescription(
                    pixelWidth: Int(size.width * scale), pixelHeight: Int(size.height * scale), scale: scale,
                    isOpaque: isOpaque))
            if isOpaque { renderer.fill(context, with: .white) }
            draw(context, isCancelled)
            guard !isCancelled() else { return self.tell(task, false) }
            let picture = try? renderer.makeContents(from: context)
            guard !isCancelled() else { return self.tell(task, false) }
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    guard !isCancelled() else {
                        task.didDisplay?(false)
                        return
                    }
                    self.contents = picture
                    task.didDisplay?(true)
                }
            }
        }
    }

    private nonisolated func tell(_ task: YYDisplayTask, _ isFinished: Bool) {
        guard let didDisplay = task.didDisplay else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { didDisplay(isFinished) } }
    }
}

/// Counts the invalidations of a layer. YYAsyncLayer's was not atomic; that fault would be a data race here.
private final class YYSentinel: Sendable {
    private let counter = Atomic<Int32>(0)

    var value: Int32 { counter.load(ordering: .acquiring) }
    func increase() { counter.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
