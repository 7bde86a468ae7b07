import AsyncLayers
import CSDL2
import Dispatch
import FeedKit
import MainLoopBridges

/// The program's own loop. One turn of it is one frame:
///
///     wait ──► input ──► advance ──► main queue, then transactions ──► show
///                        view, text  damage is taken, tiles begin,     uploads, tiles
///                                    those that are drawn appear
///
/// At rest it sleeps until SDL has an event, of the user's or a ``WakeEvent``; with a caret, until that
/// blinks.
@MainActor
final class CanvasProgram {
    private let window: Window
    private let presenter: Presenter
    private let view: CanvasView
    private let waker: MainLoopWaker
    private var tour: Tour?
    private var needsFrame = true
    private var nextFrame = 0.0
    private var lastFigures = 0.0
    private var error: (any Error)?

    private static let frameInterval = 1.0 / 60

    init(_ document: CanvasDocument, _ window: Window, tour: Tour?) throws {
        (self.window, self.tour) = (window, tour)
        presenter = Presenter(window)
        view = CanvasView(document, pixelSize: window.size)
        waker = try MainLoopWaker(wake: WakeEvent.push)
        document.layer.didChange = { [weak self] in self?.needsFrame = true }
        document.layer.didFail = { [weak self] in self?.error = $0 }
    }

    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Runs until the window is closed, or the tour is over.
    func run() throws {
        defer {
            waker.invalidate()
            presenter.removeAll()
        }
        while !view.isDone, tour?.isOver != true {
            try wait()
            let start = Self.now
            try view.advance(to: start)
            waker.performTurn()
            if let error { throw error }
            try showFrame(since: start)
            try tour?.step(view, presenter, window, at: Self.now)
        }
        try tour?.finish(view.layer.statistics)
    }

    // MARK: Input

    private func wait() throws {
        var event = SDL_Event()
        if view.motion.isMoving {
            let left = nextFrame - Self.now
            if !window.waitsForDisplay, left > 0 { SDL_Delay(UInt32(left * 1_000)) }
        } else {
            // A tour looks at the clock; a caret blinks.
            let left = tour != nil ? 0.02 : view.isFocused ? max(view.nextBlink - Self.now, 0) : nil
            let hasEvent =
                left.map { SDL_WaitEventTimeout(&event, Int32(($0 * 1_000).rounded(.up))) }
                ?? SDL_WaitEvent(&event)
            if hasEvent != 0 { try handle(event) }
        }
        while SDL_PollEvent(&event) != 0 { try handle(event) }
        nextFrame = max(nextFrame + Self.frameInterval, Self.now)
    }

    private func handle(_ event: SDL_Event) throws {
        switch SDL_EventType(event.type) {
        case SDL_WINDOWEVENT:
            needsFrame = true
            view.resize(to: window.size)
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET: presenter.texturesAreLost(of: view.layer)
        default:
            guard let input = InputEvent(event, pixelsPerUnit: window.pixelsPerUnit) else { return }
            try view.handle(input, at: Self.now)
        }
    }

    // MARK: Output

    /// Draws a frame if anything looks different. The overlay's numbers are renewed four times a second.
    private func showFrame(since start: Double) throws {
        if presenter.showsOverlay != view.showsOverlay {
            presenter.showsOverlay = view.showsOverlay
            needsFrame = true
        }
        guard needsFrame else { return }
        needsFrame = false
        try presenter.draw(view.layer)
        let now = Self.now
        if now - lastFigures > 0.25 { (presenter.frameTime, lastFigures) = ((now - start) * 1_000, now) }
        tour?.frameWasDrawn()
        presenter.show()
    }
}
