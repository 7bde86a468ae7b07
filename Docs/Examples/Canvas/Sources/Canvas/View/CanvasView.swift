import AsyncLayers
import CairoRendering
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

    init(_ document: CanvasDocument, pixelSize: Size) {
        self.document = document
        motion = ViewMotion(
            Viewport(
                contentSize: document.scene.size, pixelSize: pixelSize, center: document.text.frame.center))
    }

    var layer: TiledLayer<CairoRenderer> { document.layer }
    var viewport: Viewport { motion.viewport }
    /// Of the window, in pixels.
    var middle: Point { Rect(size: viewport.pixelSize).center }
    var isFocused: Bool { document.text.isFocused }

    func resize(to size: Size) { motion.resize(to: size) }

    // MARK: Input

    /// Handles what the user does; places are in pixels, times in seconds.
    func handle(_ event: InputEvent, at time: Double) throws {
        switch event {
        case .press(let pixel):
            pressed = pixel
            motion.press(at: pixel, time: time)
        case .move(let pixel):
            motion.drag(to: pixel, time: time)
            if let start = pressed {
                let way = pixel - start
                if abs(way.x) + abs(way.y) > Self.clickDistance { pressed = nil }
            }
        case .release:
            motion.release(time: time)
            if let pressed { click(pressed, at: time) }
            pressed = nil
        case .wheel(let notches, let pixel, zooms: true):
            let factor = notches.y >= 0 ? Self.zoomStep : 1 / Self.zoomStep
            for _ in 0..<Int(min(abs(notches.y).rounded(.up), 10)) { motion.zoom(by: factor, about: pixel) }
        case .wheel(let notches, _, zooms: false):
            motion.push(byPixels: Point(x: -notches.x, y: notches.y) * Self.notch)
        case .text(let text):
            if isFocused { try edit(at: time) { try document.type(text) } }
        case .key(let key, let isControl):
            if isFocused, !isControl { try editKey(key, at: time) } else { viewKey(key) }
        case .quit: isDone = true
        }
    }

    func click(_ pixel: Point, at time: Double) {
        document.click(at: viewport.point(at: pixel))
        nextBlink = time + Self.blinkTime
    }

    private func edit(at time: Double, _ body: () throws -> Void) rethrows {
        try body()
        nextBlink = time + Self.blinkTime
    }

    private func editKey(_ key: InputEvent.Key, at time: Double) throws {
        try edit(at: time) {
            if let movement = Self.movements[key] { return document.move(movement) }
            switch key {
            case .backspace: try document.delete(.backward)
            case .delete: try document.delete(.forward)
            case .enter: try document.type("\n")
            case .escape: document.blurText()
            default: break  // comes as text
            }
        }
    }

    private static let movements: [InputEvent.Key: TextFrame.Movement] = [
        .left: .left, .right: .right, .up: .up, .down: .down, .home: .lineStart, .end: .lineEnd,
    ]

    private func viewKey(_ key: InputEvent.Key) {
        switch key {
        case .left: motion.push(byPixels: Point(x: Self.notch, y: 0))
        case .right: motion.push(byPixels: Point(x: -Self.notch, y: 0))
        case .up: motion.push(byPixels: Point(x: 0, y: Self.notch))
        case .down: motion.push(byPixels: Point(x: 0, y: -Self.notch))
        case .plus, .equals: motion.zoom(by: Self.zoomStep, about: middle)
        case .minus: motion.zoom(by: 1 / Self.zoomStep, about: middle)
        case .zero: motion.zoom(to: 1, about: middle)
        case .o: showsOverlay.toggle()
        case .q, .escape: isDone = true
        default: break
        }
    }

    // MARK: Frames

    /// Moves on to a time, and tells the layer what is seen.
    func advance(to time: Double) throws {
        motion.step(to: time)
        if isFocused, time >= nextBlink {
            document.blink()
            nextBlink = time + Self.blinkTime
        }
        guard shown?.viewport != viewport || shown?.isMoving != motion.isMoving else { return }
        shown = (viewport, motion.isMoving)
        try layer.show(viewport.visible, scale: viewport.scale, isMoving: motion.isMoving)
    }
}
