import AsyncLayers
import CairoRendering
import FeedKit
import TiledLayers

/// A fixed journey through the document, with a screenshot at each stop, which is compared with the same part
/// drawn at once.
@MainActor
final class Tour {
    /// Where the tour stops.
    struct Stop {
        let name: String
        /// Whether the screenshot waits until all is drawn.
        let waits: Bool
        /// How one gets there from the stop before.
        let go: @MainActor (CanvasView, Double) throws -> Void

        init(
            _ name: String, waits: Bool = true, go: @escaping @MainActor (CanvasView, Double) throws -> Void
        ) {
            (self.name, self.waits, self.go) = (name, waits, go)
        }
    }

    private let folder: String
    private let report: (String) -> Void
    private var stops: ArraySlice<Stop>
    private var hasBegun = false
    private var frames = 0
    private var start = 0.0
    private var failures: [String] = []

    /// A stop that takes longer, in seconds, has failed.
    private static let limit = 30.0

    init(folder: String, stops: [Stop], report: @escaping (String) -> Void) {
        (self.folder, self.stops, self.report) = (folder, stops[...], report)
    }

    var isOver: Bool { stops.isEmpty }

    /// After each turn: continues with the next stop, or asks for a frame to look at.
    func step(_ view: CanvasView, _ presenter: Presenter, _ window: Window, at time: Double) throws {
        guard let stop = stops.first else { return }
        if !hasBegun {
            (hasBegun, frames, start) = (true, 0, time)
            return try stop.go(view, time)
        }
        guard time - start < Self.limit else {
            throw ProgramError(.badData, "\(stop.name) was not complete after \(Int(Self.limit)) s")
        }
        let isThere = stop.waits ? !view.motion.isMoving && view.layer.isComplete : frames >= 4
        guard isThere else { return }
        // What is shown is what is captured: the frame is drawn once more.
        try presenter.draw(view.layer)
        try takePicture(of: stop, view, presenter, window)
        presenter.show()
        stops.removeFirst()
        hasBegun = false
    }

    func frameWasDrawn() { frames += 1 }

    private func takePicture(
        of stop: Stop, _ view: CanvasView, _ presenter: Presenter, _ window: Window
    ) throws {
        let picture = try window.capture()
        let path = "\(folder)/\(stop.name).png"
        do { try picture.writePNG(to: path) } catch {
            throw ProgramError(.cannotCreate, "\(path) cannot be written: \(error)")
        }
        let coverage = presenter.coverage
        guard stop.waits else {
            return report("\(stop.name): \(coverage.coarse) coarse, \(coverage.blank) blank pixels")
        }
        var problems: [String] = []
        if coverage.blank > 0 { problems.append("\(coverage.blank) blank pixels") }
        if coverage.coarse + coverage.stale > 0 { problems.append("it is not sharp at rest") }
        var difference = "not compared, under the overlay"
        if !presenter.showsOverlay {
            let expected = try view.document.snapshot.picture(of: view.viewport)
            let found = PictureDifference(picture, expected)
            difference = "\(found)"
            if !found.isSlight { problems.append("\(found)") }
        }
        failures += problems.map { "\(stop.name): \($0)" }
        report("\(stop.name): \(problems.isEmpty ? "ok, \(difference)" : problems.joined(separator: "; "))")
    }

    /// - Throws: ``ProgramError`` if a stop did not look as it should.
    func finish(_ statistics: TileStatistics) throws {
        report("blank: \(statistics.blankPercentage) % of area × time, the first view included")
        guard failures.isEmpty else { throw ProgramError(.badData, failures.joined(separator: "; ")) }
    }
}

extension DocumentSnapshot {
    /// What a window shows, drawn at once, without tiles.
    func picture(of viewport: Viewport) throws -> CairoImage {
        let (renderer, scale) = (CairoRenderer(), viewport.scale)
        let context = try renderer.makeContext(
            ContextDescription(
                pixelWidth: Int(viewport.pixelSize.width), pixelHeight: Int(viewport.pixelSize.height),
                scale: scale, isOpaque: true, pixelOriginX: Int((viewport.origin.x * scale).rounded()),
                pixelOriginY: Int((viewport.origin.y * scale).rounded())))
        try draw(in: context, area: viewport.visible.inset(by: -2 / scale))
        return try renderer.makeContents(from: context)
    }
}

/// How far two pictures are apart.
///
/// Where the edge of a picture cuts a curve, Cairo samples that row in fifteenths of a pixel instead of
/// computing its area exactly, so a few pixels there differ by up to 17 of 255. A seam is a line of hundreds,
/// or one of other colours.
struct PictureDifference: CustomStringConvertible {
    /// Of a channel, of 255.
    private(set) var largest = 0
    private(set) var place = (x: 0, y: 0)
    /// How many pixels differ by more than Cairo's rounding elsewhere.
    private(set) var count = 0
    private let pixels: Int

    private static let tolerance = 2
    private static let rowTolerance = 17

    init(_ picture: CairoImage, _ expected: CairoImage) {
        pixels = picture.pixelWidth * picture.pixelHeight
        guard picture.pixelWidth == expected.pixelWidth, picture.pixelHeight == expected.pixelHeight else {
            (largest, count) = (255, pixels)
            return
        }
        for y in 0..<picture.pixelHeight {
            for x in 0..<picture.pixelWidth {
                let (a, b) = (picture[x: x, y: y] & 0xFF_FFFF, expected[x: x, y: y] & 0xFF_FFFF)
                guard a != b else { continue }
                let channels: [UInt32] = [0, 8, 16]
                let difference = channels.map { abs(Int(a >> $0 & 0xFF) - Int(b >> $0 & 0xFF)) }.max()!
                if difference > Self.tolerance { count += 1 }
                if difference > largest { (largest, place) = (difference, (x, y)) }
            }
        }
    }

    /// Whether it cannot be seen: at most one pixel of ten thousand is over the tolerance, by that rounding.
    var isSlight: Bool { largest <= Self.rowTolerance && count * 10_000 <= pixels }

    var description: String {
        if largest <= Self.tolerance { return "at most \(largest) of 255 from one picture" }
        return "\(count) pixels differ from one picture, by up to \(largest) of 255 at \(place.x), \(place.y)"
    }
}
