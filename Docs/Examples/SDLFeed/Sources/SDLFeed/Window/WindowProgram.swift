import AsyncLayers
import CairoRendering
import FeedKit
import MainLoopBridges
import SDLWindows

/// Opens the window and runs it until it is closed, or the script is done.
@MainActor
struct WindowProgram {
    let options: SDLFeedOptions

    func run() throws {
        let size = WindowMeasures.window
        let window = try Window(
            title: "Feed", size: size, minimumSize: Size(width: size.width, height: 240), scale: options.scale
        )
        let waker = try MainLoopWaker(wake: WakeEvent.push)
        defer { waker.invalidate() }
        let view = try FeedView(
            options, scale: window.scale, viewportHeight: WindowMeasures.feed.height)
        let title = TitleBar(scale: window.scale, displaysAsynchronously: options.mode == .layers)
        let feed = InteractiveFeed(view, title, script: script)
        let stage = WindowStage(window, feed, capture: options.screenshot.map(Self.writer))
        let loop = FrameLoop(waker: waker, stage: stage, refreshInterval: window.refreshInterval)
        loop.run(feed)
        if let error = stage.error { throw error }

        guard let json = options.json else { return }
        let figures = Figures(
            mode: options.mode, scale: view.setting.scale, view: view, loop: loop, feed.blanks)
        try figures.write(to: json)
    }

    private static func writer(to path: String) -> (CairoImage) throws -> Void {
        { image in
            do { try image.writePNG(to: path) } catch {
                throw ProgramError(.cannotCreate, "\(path) cannot be written: \(error)")
            }
        }
    }

    /// A screenshot is taken when all is drawn, and is the end.
    private var script: ScriptPlayer? {
        let actions = options.script + (options.screenshot == nil ? [] : [.wait, .quit])
        return actions.isEmpty ? nil : ScriptPlayer(actions)
    }
}
