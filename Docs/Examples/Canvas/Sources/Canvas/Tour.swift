import AsyncLayers
import CSDL2
import CairoRendering
import FeedKit
import Foundation
import TiledLayers

/// A fixed journey through the document, with a screenshot at each stop, which is compared with the same part
/// drawn at once.
@MainActor
struct Tour {
    private let program: CanvasProgram
    private let folder: String
    private let report: (String) -> Void
    private var failures: [String] = []

    /// A stop that takes longer, in seconds, has failed.
    private static let limit = 30.0

    /// Makes a folder for the screenshots, and a window, in memory where there is no display.
    init(_ scene: Scene, folder: String, report: @escaping (String) -> Void) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProgramError(.cannotCreate, "the folder '\(folder)' cannot be made")
        }
        // SDL_RENDER_DRIVER and SDL_VIDEODRIVER choose others.
        SDL_SetHint(SDL_HINT_RENDER_DRIVER, "software")
        if SDL_getenv("DISPLAY") == nil, SDL_getenv("WAYLAND_DISPLAY") == nil {
            SDL_setenv("SDL_VIDEODRIVER", "dummy", 0)
        }
        program = try CanvasProgram(scene, scale: 1)
        (self.folder, self.report) = (folder, report)
    }

    /// - Throws: ``ProgramError`` if a stop did not look as it should.
    mutating func run() throws {
        let view = program.view
        try stop("1-first-view")
        view.motion.push(byPixels: Point(x: -1_733, y: -611))
        try stop("2-pan")
        view.motion.zoom(to: 0.13, about: view.viewport.middle)
        try stop("3-zoom-out")
        // About the pixel from which the frame comes to the middle of the window.
        let ratio = 2 / view.viewport.scale
        let place = view.viewport.pixel(at: view.document.text.frame.center)
        view.motion.zoom(to: 2, about: (place * ratio - view.viewport.middle) * (1 / (ratio - 1)))
        try stop("4-zoom-in")
        let start = view.document.text.frame.origin + Point(x: 30, y: 36)
        let time = CanvasProgram.now
        view.press(at: view.viewport.pixel(at: start), time: time)
        view.release(time: time)
        try view.press(.end, time: time)
        for text in ["Typed", " ", "wörds, ", "x", "مرحبا", "!"] { try view.type(text, time: time) }
        for key in [Key.backspace, .left, .right, .enter] { try view.press(key, time: time) }
        try stop("5-edit")
        try view.press(.o, isControl: true, time: time)
        try stop("6-overlay")
        view.motion.zoom(to: 0.3, about: view.viewport.middle)
        try stop("7-overlay-moving", waits: false)
        report("blank: \(view.layer.statistics.blankPercentage) % of area × time, the first view included")
        guard failures.isEmpty else { throw ProgramError(.badData, failures.joined(separator: "; ")) }
    }

    /// Runs the program until all is drawn, or for a few frames, and looks at its window.
    private mutating func stop(_ name: String, waits: Bool = true) throws {
        let (view, frames, start) = (program.view, program.frames, CanvasProgram.now)
        try program.run(wakingEvery: 0.02) {
            guard !view.isDone, CanvasProgram.now < start + Self.limit else {
                throw ProgramError(.badData, "\(name) was not complete after \(Int(Self.limit)) s")
            }
            return waits ? !view.motion.isMoving && view.layer.isComplete : program.frames >= frames + 4
        }
        let (picture, path) = (try program.capture(), "\(folder)/\(name).png")
        do { try picture.writePNG(to: path) } catch {
            throw ProgramError(.cannotCreate, "\(path) cannot be written: \(error)")
        }
        let coverage = program.coverage
        guard waits else {
            return report("\(name): \(coverage.coarse) coarse, \(coverage.blank) blank pixels")
        }
        let expected = try view.document.snapshot.picture(of: view.viewport)
        let difference = PictureDifference(picture, expected)
        let others = coverage.blank + coverage.coarse + coverage.stale
        let isOK = others == 0 && (view.showsOverlay || difference.isSlight)
        let words = "\(difference), \(others) pixels are blank or not sharp"
        if !isOK { failures.append("\(name): \(words)") }
        report("\(name): \(isOK ? "ok, " : "")\(view.showsOverlay ? "not compared" : words)")
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

/// How far two pictures of the same size are apart.
///
/// Where the edge of a picture cuts a curve or a slanting line, Cairo rounds it otherwise than within the
/// picture, so a few pixels differ by up to 17 of 255. Seams are lines of thousands, or of other colours.
struct PictureDifference: CustomStringConvertible {
    /// Of a channel, of 255.
    private(set) var largest = 0
    /// How many pixels differ by more than Cairo's rounding elsewhere.
    private(set) var count = 0
    private let pixels: Int

    init(_ picture: CairoImage, _ expected: CairoImage) {
        pixels = picture.pixelWidth * picture.pixelHeight
        for y in 0..<picture.pixelHeight {
            for x in 0..<picture.pixelWidth where picture[x: x, y: y] != expected[x: x, y: y] {
                let (a, b) = (picture[x: x, y: y], expected[x: x, y: y])
                let channels: [UInt32] = [0, 8, 16]
                let difference = channels.map { abs(Int(a >> $0 & 0xFF) - Int(b >> $0 & 0xFF)) }.max()!
                if difference > 2 { count += 1 }
                largest = max(largest, difference)
            }
        }
    }

    /// Whether it cannot be seen: at most one pixel of two thousand is over the tolerance, by that rounding.
    var isSlight: Bool { largest <= 17 && count * 2_000 <= pixels }

    var description: String {
        "\(count) pixels differ by more than 2 of 255 from one picture, by up to \(largest)"
    }
}
