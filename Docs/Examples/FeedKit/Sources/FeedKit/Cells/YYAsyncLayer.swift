public import AsyncLayers
public import Dispatch
public import Foundation
import QueuePoolsSentinels
import Synchronization
import QueuePoolsTransactions

/// The layer of YYAsyncLayer (2015): its published algorithm, written in Swift to be measured beside
/// `AsyncLayer`.
///
/// It draws in the same order, asks at the same places whether it is stale, and hops to the main thread at
/// the same places. So it has the same faults, which are left as they are:
/// - only ``setNeedsDisplay()`` makes a draw stale, and a newer display does not;
/// - what is invalidated faster than it draws never shows anything;
/// - a pass that is stale before it starts ends without `didDisplay`;
/// - a draw in the queue retains the layer, so a layer that has left the screen is drawn all the same;
/// - an old picture is released on the main thread, and a task on the thread that uses it last.
///
/// What would be undefined in Swift is done safely: the sentinel is atomic.
@MainActor
public final class YYAsyncLayer<Base: Renderer> {
    /// In points.
    public var size = Size.zero
    /// Pixels per point.
    public var contentsScale = 1.0
    /// True fills the context before it is drawn into.
    public var isOpaque = false
    /// What an opaque layer is filled with, over white.
    public var backgroundColor: Color?
    /// Says what the layer draws.
    public weak var delegate: (any YYAsyncLayerDelegate<Base>)?
    /// The picture that the layer shows.
    public private(set) var contents: Base.Contents?

    private let renderer: Base
    private let queues: YYDispatchQueuePool
    private let sentinel = Sentinel()

    /// Makes an empty layer.
    public init(renderer: Base, queues: YYDispatchQueuePool = .shared) {
        self.renderer = renderer
        self.queues = queues
    }

    deinit { sentinel.increase() }

    /// Makes draws stale, and displays at the end of the turn.
    public func setNeedsDisplay() {
        sentinel.increase()
        Transaction(self, "display") { $0.display() }.commit()
    }

    private func display() {
        guard let task = delegate?.displayTask(for: self) else {
            contents = nil
            return
        }
        task.willDisplay?()
        guard let draw = task.draw, size.width >= 1, size.height >= 1 else {
            contents = nil
            task.didDisplay?(true)
            return
        }
        let value = sentinel.value
        let isCancelled: @Sendable () -> Bool = { [sentinel] in sentinel.value != value }
        let description = ContextDescription(
            pixelWidth: Int((size.width * contentsScale).rounded(.up)),
            pixelHeight: Int((size.height * contentsScale).rounded(.up)), scale: contentsScale,
            isOpaque: isOpaque)
        let drawing = Drawing(renderer: renderer, description: description, background: backgroundColor)
        queues.next().async {
            if isCancelled() {
                if let stopped = task.stopped { onMain { stopped(.waiting) } }
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
            case stale(DisplayStage)
            /// Nil if no context was available.
            case done(Base.Contents?)
        }

        let renderer: Base
        let description: ContextDescription
        let background: Color?

        func run(
            _ draw: YYAsyncLayerTask<Base>.Draw, _ isCancelled: @escaping @Sendable () -> Bool
        ) -> Result {
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

/// Says what a ``YYAsyncLayer`` draws.
@MainActor
public protocol YYAsyncLayerDelegate<Base>: AnyObject {
    /// The renderer of the layer.
    associatedtype Base: Renderer

    /// Describes a pass of the layer; nil empties it.
    func displayTask(for layer: YYAsyncLayer<Base>) -> YYAsyncLayerTask<Base>?
}

/// One pass of a ``YYAsyncLayer``: what to draw, and what to call.
public struct YYAsyncLayerTask<Base: Renderer>: Sendable {
    /// Draws into a context, on a queue of the pool.
    public typealias Draw =
        @Sendable (_ context: Base.Context, _ isCancelled: @escaping @Sendable () -> Bool) -> Void

    /// Called when the pass begins.
    public var willDisplay: (@MainActor @Sendable () -> Void)?
    /// Draws; nil empties the layer.
    public var draw: Draw?
    /// Called with true when the picture is shown, and with false when the pass is stale after it has
    /// started.
    public var didDisplay: (@MainActor @Sendable (Bool) -> Void)?
    /// Called with the stage at which a stale pass stopped, for figures. YYAsyncLayer has no such call.
    public var stopped: (@MainActor @Sendable (DisplayStage) -> Void)?

    /// Describes a pass.
    public init(
        willDisplay: (@MainActor @Sendable () -> Void)? = nil, draw: Draw?,
        didDisplay: (@MainActor @Sendable (Bool) -> Void)? = nil,
        stopped: (@MainActor @Sendable (DisplayStage) -> Void)? = nil
    ) {
        self.willDisplay = willDisplay
        self.draw = draw
        self.didDisplay = didDisplay
        self.stopped = stopped
    }
}

/// The serial queues of YYDispatchQueuePool (2015): as many as there are active processors, at most 16, used
/// in turn. *Thread-safe.*
public final class YYDispatchQueuePool: Sendable {
    /// The queues of the process.
    public static let shared = YYDispatchQueuePool()

    private let queues: [DispatchQueue]
    private let counter = Atomic<UInt32>(0)

    /// Makes from 1 to 16 queues.
    public init(count: Int = ProcessInfo.processInfo.activeProcessorCount) {
        queues = (0..<min(max(count, 1), 16)).map {
            DispatchQueue(label: "YYDispatchQueuePool.\($0)", qos: .userInitiated)
        }
    }

    /// The next queue. The counter is increased first; it is unsigned, where YYDispatchQueuePool's is signed
    /// and its index becomes negative when it wraps.
    public func next() -> DispatchQueue {
        let value = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return queues[Int(value) % queues.count]
    }
}

/// Brings work to the main actor, in order.
private func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { work() }
}
