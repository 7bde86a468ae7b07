import AsyncLayers
import Foundation
import MainLoopHosts

/// `--measure`: scrolls through the whole feed without a window.
@MainActor
struct Measurement {
    let options: Options

    static let hz = 60

    /// - Returns: the status to exit with: 1 if hitches exceed the bar.
    func run() throws -> Int32 {
        let waker = try MainLoopWaker(wake: {})  // frames come without being woken
        defer { waker.invalidate() }
        let view = try FeedView.make(
            options, scale: options.scale ?? 3, viewportHeight: WindowMeasures.feed.height)
        let frames = options.frames ?? 90 * Self.hz
        let journey = Journey(
            frames: frames, maximumOffset: max(view.content.column.height - view.viewportHeight, 0),
            hz: Self.hz, seed: options.seed)
        let progress = Progress(total: frames)
        let run = JourneyRun(view, journey) { progress.update($0) }
        let loop = FrameLoop(
            waker: waker, stage: VirtualDisplay(hz: Self.hz, frameCount: frames),
            refreshInterval: .seconds(1) / Self.hz)
        loop.run(run)
        progress.end()

        let figures = Figures(
            mode: options.mode, scale: view.setting.scale, view: view, loop: loop, run.blanks)
        print(figures.table, terminator: "")
        try options.json.map { try figures.write(to: $0) }
        guard let bar = options.bar, figures.hitchMillisecondsPerSecond > bar else { return EXIT_SUCCESS }
        print("more than the bar of \(bar) ms/s")
        return EXIT_FAILURE
    }
}

/// A line on a terminal, once a second; nothing elsewhere.
@MainActor
private final class Progress {
    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) != 0

    init(total: Int) { self.total = total }

    func update(_ done: Int) {
        guard isTerminal, done % Measurement.hz == 0 else { return }
        FileHandle.standardError.write(Data("\r\(done) of \(total) frames".utf8))
    }

    func end() { if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }
}
