import AsyncLayers
import CoreFoundation
import Dispatch
import Foundation
import Synchronization

/// What layers of YYAsyncLayer (2015) share: a lasting observer that displays the marked ones at the end of a
/// turn, as Core Animation's commit does, and serial DispatchQueues that take turns, as in
/// YYDispatchQueuePool.
@MainActor
final class YYAsyncLayerHost: LayerHost {
    private let queues: [DispatchQueue]
    private let turns = Atomic<Int32>(0)
    private var marked: [YYAsyncLayer] = []
    private var observer: CFRunLoopObserver?

    init(workers: Int) {
        queues = (0..<workers).map { DispatchQueue(label: "yy-async-layer \($0)", qos: .userInitiated) }
        let activities = CFRunLoopActivity([.beforeWaiting, .exit]).rawValue
        observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, 2_000_000) {
            [unowned self] _, _ in
            MainActor.assumeIsolated { displayMarked() }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    }

    func makeLayer(_ source: any DrawSource) -> any ContenderLayer {
        YYAsyncLayerContender(makeBareLayer(), source)
    }

    /// A layer without a delegate.
    func makeBareLayer() -> YYAsyncLayer {
        let layer = YYAsyncLayer(host: self)
        layer.size = Size(width: 100, height: 40)
        return layer
    }

    func shutDown() {
        CFRunLoopObserverInvalidate(observer)
    }

    var nextQueue: DispatchQueue {
        let turn = UInt32(bitPattern: turns.wrappingAdd(1, ordering: .relaxed).newValue)
        return queues[Int(turn % UInt32(queues.count))]
    }

    func release(_ picture: Picture) {
        DispatchQueue.global(qos: .background).async { withExtendedLifetime(picture) {} }
    }

    func displayAtEndOfTurn(_ layer: YYAsyncLayer) {
        marked.append(layer)
    }

    private func displayMarked() {
        guard !marked.isEmpty else { return }
        let layers = marked
        marked.removeAll(keepingCapacity: true)
        for layer in layers { layer.displayIfNeeded() }
    }
}

/// Describes the passes of layers.
@MainActor
class YYAsyncLayerSource: YYAsyncLayerDelegate {
    private let source: any DrawSource

    init(_ source: any DrawSource) {
        self.source = source
    }

    final func displayTask() -> YYDisplayTask {
        let draw = source.nextDraw()
        return YYDisplayTask(display: { context, isCancelled in
            context.picture = draw.makePicture(isCancelled)
        })
    }
}

private final class YYAsyncLayerContender: YYAsyncLayerSource, ContenderLayer {
    private let layer: YYAsyncLayer

    init(_ layer: YYAsyncLayer, _ source: any DrawSource) {
        self.layer = layer
        super.init(source)
        layer.delegate = self
    }

    func invalidate() { layer.setNeedsDisplay() }

    /// YYAsyncLayer's users do nothing when a cell leaves: its next use invalidates it.
    func leaveView() {}

    var picture: Picture? { layer.contents }
}
