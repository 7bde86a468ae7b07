import AsyncLayers
import Dispatch
import Sentinels
import Transactions

/// The layer as YYAsyncLayer (2015) publishes its algorithm, written anew to be measured beside ours.
///
/// It draws in the same order, asks at the same places whether it is stale, and hops to the main thread at
/// the same places. So it has the same faults, which are left as they are:
/// - only ``setNeedsDisplay()`` makes a draw stale, and a newer display does not;
/// - what is invalidated faster than it draws never shows anything;
/// - a pass that is stale before it starts ends without `didDisplay`;
/// - a draw in the queue holds the layer, so a layer that nobody shows any more is drawn all the same;
/// - an old picture is released on the main thread, and a task on whichever thread comes last.
///
/// What would be undefined in Swift is done safely: the sentinel is atomic.
@MainActor
final class OriginalLayer<Base: Renderer> {
    /// In points.
    var size = Size.zero
    /// Pixels per point.
    var contentsScale = 1.0
    var isOpaque = false
    var backgroundColor: Color?
    weak var delegate: (any OriginalLayerDelegate<Base>)?
    private(set) var contents: Base.Contents?

    private let renderer: Base
    private let queues: OriginalQueues
    private let sentinel = Sentinel()

    init(renderer: Base, queues: OriginalQueues) {
        self.renderer = renderer
        self.queues = queues
    }

    deinit { sentinel.increase() }

    /// Makes draws stale, and displays at the end of the turn.
    func setNeedsDisplay() {
        sentinel.increase()
        Transaction(self, "display") { $0.display() }.commit()
    }

    private func display() {
        guard let task = delegate?.displayTask(for: self) else {
            contents = nil
            return
        }
        task.willDisplay?()
        guard let draw = task.draw else {
            contents = nil
            task.didDisplay?(true)
            return
        }
        let value = sentinel.value
        let isCancelled: @Sendable () -> Bool = { [sentinel] in sentinel.value != value }
        guard size.width >= 1, size.height >= 1 else {
            contents = nil
            task.didDisplay?(true)
            return
        }
        let description = ContextDescription(
            pixelWidth: Int((size.width * contentsScale).rounded(.up)),
            pixelHeight: Int((size.height * contentsScale).rounded(.up)), scale: contentsScale,
            isOpaque: isOpaque)
        let drawing = Drawing(renderer: renderer, description: description, background: backgroundColor)
        queues.next().async {
            if isCancelled() {
                task.stopped?(.waiting)
                return
            }
            switch drawing.run(draw, isCancelled) {
            case .stale(let stage):
                onMain {
                    task.stopped?(stage)
                    task.didDisplay?(false)
                }
            case .done(let picture):
                onMain {
                    if isCancelled() {
                        task.stopped?(.committing)
                        task.didDisplay?(false)
                    } else {
                        self.contents = picture
                        task.didDisplay?(true)
                    }
                }
            }
        }
    }

    /// What happens on the queue, between the two looks at the sentinel that are outside of it.
    private struct Drawing: Sendable {
        enum Result {
            case stale(PassStage)
            /// Nil where there was no context to be had.
            case done(Base.Contents?)
        }

        let renderer: Base
        let description: ContextDescription
        let background: Color?

        func run(_ draw: OriginalTask<Base>.Draw, _ isCancelled: @escaping @Sendable () -> Bool) -> Result {
            let context = try? renderer.makeContext(description)
            if let context {
                if description.isOpaque {
                    if background.map({ $0.alpha < 1 }) ?? true { renderer.fill(context, with: .white) }
                    if let background { renderer.fill(context, with: background) }
                }
                draw(context, isCancelled)
            }
            if isCancelled() { return .stale(.drawing) }
            let picture = context.flatMap { try? renderer.makeContents(from: $0) }
            return isCancelled() ? .stale(.committing) : .done(picture)
        }
    }
}

/// Says what an ``OriginalLayer`` draws.
@MainActor
protocol OriginalLayerDelegate<Base>: AnyObject {
    associatedtype Base: Renderer

    func displayTask(for layer: OriginalLayer<Base>) -> OriginalTask<Base>?
}

/// What to draw, and whom to tell.
struct OriginalTask<Base: Renderer>: Sendable {
    typealias Draw =
        @Sendable (_ context: Base.Context, _ isCancelled: @escaping @Sendable () -> Bool) -> Void

    var willDisplay: (@MainActor @Sendable () -> Void)?
    var draw: Draw?
    /// True when the picture was shown.
    var didDisplay: (@MainActor @Sendable (Bool) -> Void)?
    /// Where a stale pass stopped: for the demonstration's figures, on any thread. The original does not tell.
    var stopped: (@Sendable (PassStage) -> Void)?
}
