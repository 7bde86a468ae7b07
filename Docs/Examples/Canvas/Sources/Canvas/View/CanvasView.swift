import AsyncLayers
import CairoRendering
import Foundation
import TiledLayers

/// The document in a window: input moves the view or edits the text, and the layer learns what is seen.
@MainActor
final class CanvasView {
    let document: CanvasDocument
    var motion: ViewMotion
    private(set) var isDone = false
    private(set) var showsOverlay = false
    /// When the caret blinks next, in seconds.
    private(set) var nextBlink = 0.0
    /// What the layer was told last.
    private var shown: (viewport: Viewport, isMoving: Bool)?
    /// Where the button was pressed, until the pointer has moved away.
    private var pressed: Point?

    /// Pixels of a drag, for each notch of the wheel.
    private static let notch = 90.0
    private static let zoomStep = 1.25
    private static let clickDistance = 4.0
    private static let blinkTime = 0.5

    init(_ document: CanvasDocument, pixelSize: Size, scale: Double = 1) {
        self.document = document
        motion = ViewMotion(
            Viewport(
                documentSize: document.snapshot.scene.size, pixelSize: pixelSize, scale: scale,
                center: document.text.frame.center))
    }

    var layer: TiledLayer<CairoRenderer> { document.layer }
    var viewport: Viewport { motion.viewport }
    var isFocused: Bool { document.text.isFocused }

    // MARK: Input, with places in pixels and times in seconds

    func press(at pixel: Point, time: Double) {
        pressed = pixel
        motion.press(at: pixel, time: time)
    }

    func movePointer(to pixel: Point, time: Double) {
        motion.drag(to: pixel, time: time)
        let way = pixel - (pressed ?? pixel)
        if hypot(way.x, way.y) > Self.clickDistance { pressed = nil }
    }

    func release(time: Double) {
        motion.release(time: time)
        if let pressed { edit(at: time) { $0.click(at: viewport.point(at: pressed)) } }
        pressed = nil
    }

    /// - Parameter notches: to the right and up.
    func turnWheel(by notches: Point, at pixel: Point, zooms: Bool) {
        if zooms {
            motion.zoom(by: pow(Self.zoomStep, min(max(notches.y, -10), 10)), about: pixel)
        } else {
            motion.push(byPixels: Point(x: -notches.x, y: notches.y) * Self.notch)
        }
    }

    func type(_ text: String, time: Double) throws {
        if isFocused { try edit(at: time) { try $0.insert(text) } }
    }

    /// Edits the text if it has a caret and ctrl is not held; else moves the view.
    func press(_ key: Key, isControl: Bool = false, time: Double) throws {
        if isFocused, !isControl { return try edit(at: time) { try $0.press(key) } }
        switch key {
        case .left: motion.push(byPixels: Point(x: Self.notch, y: 0))
        case .right: motion.push(byPixels: Point(x: -Self.notch, y: 0))
        case .up: motion.push(byPixels: Point(x: 0, y: Self.notch))
        case .down: motion.push(byPixels: Point(x: 0, y: -Self.notch))
        case .plus, .equals: motion.zoom(by: Self.zoomStep, about: viewport.middle)
        case .minus: motion.zoom(by: 1 / Self.zoomStep, about: viewport.middle)
        case .zero: motion.zoom(to: 1, about: viewport.middle)
        case .o: showsOverlay.toggle()
        case .q, .escape: quit()
        default: break
        }
    }

    func quit() { isDone = true }

    private func edit(at time: Double, _ change: (inout TextFrame) throws -> [Rect]) rethrows {
        try document.edit(change)
        nextBlink = time + Self.blinkTime
    }

    // MARK: Frames

    /// Moves on to a time, and tells the layer what is seen.
    func advance(to time: Double) throws {
        motion.step(to: time)
        if isFocused, time >= nextBlink { edit(at: time) { $0.blink() } }
        guard shown?.viewport != viewport || shown?.isMoving != motion.isMoving else { return }
        shown = (viewport, motion.isMoving)
        try layer.show(viewport.visible, scale: viewport.scale, isMoving: motion.isMoving)
    }
}

/// The keys that mean something, with SDL's codes (`SDL_KeyCode`).
enum Key: Int {
    case home = 0x4000_004A, end = 0x4000_004D, right = 0x4000_004F, left, down, up
    case backspace = 8, enter = 13, escape = 27, delete = 127
    case plus = 43, minus = 45, zero = 48, equals = 61, o = 111, q = 113
}
