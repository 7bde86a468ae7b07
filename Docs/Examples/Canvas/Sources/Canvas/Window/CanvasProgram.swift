import AsyncLayers
import CSDL2
import CairoRendering
import Dispatch
import FeedKit
import MainLoopBridges
import SDLWindows
import TiledLayers

/// The program's own loop. One turn of it is one frame:
///
///     wait ──► input ──► advance ──► main queue, then transactions ──► draw
///                        view, text  damage is taken, tiles begin,     uploads, tiles
///                                    those that are drawn appear
///
/// At rest it sleeps until SDL has an event, of the user's or a ``WakeEvent``; with a caret, until that
/// blinks.
@MainActor
final class CanvasProgram {
    let view: CanvasView
    /// How the newest frame covers the view, and how many there were.
    private(set) var coverage = TileCoverage()
    private(set) var frames = 0
    private let window: Window
    private let tiles: DrawnTiles
    private let overlay: Overlay
    private let waker: MainLoopWaker
    private var needsFrame = true
    private var nextFrame = 0.0
    /// Of tiles that cannot be drawn; the others are shown.
    private var lastError = ""

    private static let frameInterval = 1.0 / 60

    /// - Parameter scale: pixels per point at the beginning.
    init(_ scene: Scene, scale: Double) throws {
        window = try Window(
            title: "Canvas", size: Size(width: 1_280, height: 800),
            minimumSize: Size(width: 160, height: 100))
        let document = try CanvasDocument(scene)
        view = CanvasView(document, pixelSize: window.extent, scale: scale)
        tiles = DrawnTiles(window)
        overlay = Overlay(window)
        waker = try MainLoopWaker(wake: WakeEvent.push)
        document.layer.onChange = { [weak self] in self?.needsFrame = true }
        document.layer.onFailure = { [weak self] in self?.report($0) }
    }

    isolated deinit { waker.invalidate() }

    private func report(_ failure: any Error) {
        let text = "a tile cannot be drawn: \(failure)"
        if text != lastError { StandardError.write("Canvas: \(text)\n") }
        lastError = text
    }

    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Runs until the window is closed.
    func run() throws { try run { view.isDone } }

    /// Runs until something is so, which is asked before each turn.
    ///
    /// - Parameter limit: of each wait, in seconds.
    func run(wakingEvery limit: Double = .infinity, until isOver: () throws -> Bool) throws {
        while try !isOver() {
            try wait(limit)
            try view.advance(to: Self.now)
            waker.performTurn()
            guard needsFrame else { continue }
            try draw()
            SDL_RenderPresent(window.renderer)
        }
    }

    // MARK: Input

    private func wait(_ limit: Double) throws {
        var event = SDL_Event()
        if view.motion.isMoving {
            let left = nextFrame - Self.now
            if !window.waitsForDisplay, left > 0 { SDL_Delay(UInt32(left * 1_000)) }
        } else {
            let left = min(view.isFocused ? max(view.nextBlink - Self.now, 0) : .infinity, limit)
            // Without a limit it waits for as long as it takes.
            let timeout = left.isFinite ? Int32((left * 1_000).rounded(.up)) : -1
            let hasEvent = SDL_WaitEventTimeout(&event, timeout)
            if hasEvent != 0 { try handle(event) }
        }
        while SDL_PollEvent(&event) != 0 { try handle(event) }
        nextFrame = max(nextFrame + Self.frameInterval, Self.now)
    }

    private func handle(_ event: SDL_Event) throws {
        let time = Self.now
        func isControl(_ modifiers: UInt32) -> Bool { modifiers & KMOD_CTRL.rawValue != 0 }
        func pixel(_ x: Int32, _ y: Int32) -> Point { Point(x: Double(x), y: Double(y)) * window.scale }
        switch SDL_EventType(event.type) {
        case SDL_QUIT: view.quit()
        case SDL_MOUSEBUTTONDOWN where event.button.button == SDL_BUTTON_LEFT:
            view.press(at: pixel(event.button.x, event.button.y), time: time)
        case SDL_MOUSEBUTTONUP where event.button.button == SDL_BUTTON_LEFT: view.release(time: time)
        case SDL_MOUSEMOTION: view.movePointer(to: pixel(event.motion.x, event.motion.y), time: time)
        case SDL_MOUSEWHEEL:
            let notches = Point(x: Double(event.wheel.preciseX), y: Double(event.wheel.preciseY))
            view.turnWheel(
                by: notches, at: pixel(event.wheel.mouseX, event.wheel.mouseY),
                zooms: isControl(SDL_GetModState().rawValue))
        case SDL_TEXTINPUT:
            let bytes = withUnsafeBytes(of: event.text.text) { Array($0.prefix { $0 != 0 }) }
            try view.type(String(decoding: bytes, as: UTF8.self), time: time)
        case SDL_KEYDOWN:
            guard let key = Key(rawValue: Int(event.key.keysym.sym)) else { return }
            // When the key was pressed, not now.
            try view.press(key, isControl: isControl(UInt32(event.key.keysym.mod)), time: time)
            needsFrame = true
        case SDL_WINDOWEVENT:
            needsFrame = true
            view.motion.resize(to: window.extent)
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
            tiles.removeAll(of: view.layer)
            overlay.removeAll()
        default: break
        }
    }

    // MARK: Output

    private func draw() throws {
        (needsFrame, frames) = (false, frames + 1)
        coverage = tiles.draw(view.layer).coverage
        if view.showsOverlay { try overlay.draw(view.layer, tiles) }
    }

    /// Draws what the window shows once more, and reads it.
    func capture() throws -> CairoImage {
        try draw()
        return try window.capture()
    }
}

extension Window {
    /// In pixels.
    var extent: Size {
        Size(width: Double(max(pixelSize.width, 1)), height: Double(max(pixelSize.height, 1)))
    }
}
