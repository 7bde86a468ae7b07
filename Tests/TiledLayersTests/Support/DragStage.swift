import AsyncLayers
import BitmapRendering
import QueuePools
import QueuePoolsSimulations
import Synchronization
import TestSupport
import TiledLayers

/// A long document of one shade, whose tiles take their time on two simulated cores, the most urgent first.
///
/// A window of 480 × 270 pixels and tiles of 64 are one of 1920 × 1080 with tiles of 256, and fewer pixels.
@MainActor
final class DragStage: TiledLayerDelegate {
    nonisolated static let tileExtent = 64.0
    /// The time of a tile at scale 1.
    nonisolated static let tileTime = Duration.milliseconds(5)
    nonisolated static let frame = Duration.microseconds(16_667)

    let simulation = Simulation()
    let layer: TiledLayer<BitmapRenderer>
    let window = Size(width: 480, height: 270)
    /// The scales of all draws that have ended.
    let draws = Recorder<Double>()
    var tileTime = DragStage.tileTime
    /// The share of a draw's time that belongs to the content in it, as that of letters; the rest belongs to
    /// its pixels.
    var areaShare = 0.0
    /// Thrown by draws below the scale 1.
    var draftError: (any Error)?
    var shade = 1
    /// Called in each frame, and once between two.
    lazy var takeFrame: @MainActor () -> TileChanges = { [unowned self] in layer.takeChanges() }
    private let running = Atomic(0)

    init(content: Size = Size(width: 480, height: 250_000)) {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: content, tileExtent: Int(Self.tileExtent),
            host: simulation.host)
        layer.delegate = self
        simulation.stepLimit = 1_000_000
        simulation.order = .chosen { [unowned self] possible in
            if let step = possible.first(where: \.isOnMainThread) { return step }
            guard running.load(ordering: .relaxed) < 2 else { return nil }
            return possible.max { one, other in
                guard case .job(let one, _) = one, case .job(let other, _) = other else { return false }
                return one < other
            }
        }
    }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [self, tileTime, areaShare, draftError, shade] context, scope in
            let area = scope.area.size.width * scope.area.size.height
            let pixels = Double(context.pixelWidth * context.pixelHeight)
            running.add(1, ordering: .relaxed)
            simulation.spend(
                tileTime
                    * ((areaShare * area + (1 - areaShare) * pixels) / (Self.tileExtent * Self.tileExtent)))
            running.subtract(1, ordering: .relaxed)
            if let draftError, scope.scale < 1 { throw draftError }
            context.fill(scope.area, with: .color(Color(red: Double(shade) / 255, green: 0, blue: 0)))
            draws.append(scope.scale)
        }
    }

    func show(_ y: Double, scale: Double = 1, isMoving: Bool = false) {
        let visible = Rect(origin: Point(x: 0, y: y), size: window * (1 / scale))
        do { try layer.show(visible, scale: scale, isMoving: isMoving) } catch { fatalError("\(error)") }
    }

    /// Shows a place at rest, and draws all that is wanted.
    func open(at y: Double = 0) {
        show(y)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
    }

    /// Shares of the view without a picture, over the frames.
    struct Blank {
        /// In frames that are composed as soon as the view is given.
        let early: Double
        /// In frames that are composed a frame later.
        let late: Double
    }

    /// Shows a view in each frame, and then rests on the last one.
    ///
    /// - Parameter body: called in each frame, after its changes were taken.
    /// - Returns: the share that was blank, and how long after the last frame the view was sharp.
    func drag(
        over places: [Double], body: @escaping @MainActor (_ frame: Int) -> Void = { _ in }
    ) -> (blank: Blank, rest: Duration) {
        let start = simulation.now + Self.frame
        var (early, late, end) = (0.0, 0.0, nil as Duration?)
        let area = window.width * window.height
        func takeShare() -> Double {
            Double(takeFrame().coverage.blank) / area / Double(places.count)
        }
        // All in timers of the main thread, which is free while tiles are drawn.
        let loop = simulation.host.loop
        for (frame, y) in places.enumerated() {
            loop.perform(at: start + Self.frame * frame) { [self] in
                if frame > 0 { late += takeShare() }
                show(y, isMoving: frame + 1 < places.count)
                early += takeShare()
                body(frame)
            }
        }
        let last = start + Self.frame * (places.count - 1)
        loop.perform(at: last + Self.frame) { late += takeShare() }
        for step in 1...1_000 {
            loop.perform(at: last + .milliseconds(step)) { [self] in
                if layer.isComplete, end == nil { end = simulation.now }
            }
        }
        simulation.advance(by: Self.frame * places.count + .seconds(2))
        return (Blank(early: early, late: late), (end ?? .seconds(1_000)) - last)
    }
}
