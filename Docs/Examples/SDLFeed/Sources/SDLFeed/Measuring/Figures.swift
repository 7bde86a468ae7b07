import AsyncLayers
import FeedKit
import Foundation

/// What a run came to; written as JSON.
struct Figures: Codable, Equatable, Sendable {
    var mode: String
    var cells: Int
    var scale: Double
    /// Frames in motion, and the time that they took.
    var frames = 0
    var seconds = 0.0
    var framesPerSecond = 0.0
    /// Time by which frames were late, in milliseconds a second.
    var hitchMillisecondsPerSecond = 0.0
    var longestHitchMilliseconds = 0.0
    var droppedFrames = 0
    /// What the main thread worked for a frame: half of the frames took less than p50, one in a hundred more
    /// than p99.
    var mainThreadMillisecondsP50 = 0.0
    var mainThreadMillisecondsP99 = 0.0
    var mainThreadMillisecondsLongest = 0.0
    /// The same in time on a processor, without what other threads and programs have taken.
    var mainThreadProcessorMillisecondsP50 = 0.0
    var mainThreadProcessorMillisecondsP99 = 0.0
    /// Of all cells in view, over all frames, the share that showed nothing of its post yet.
    var blankShare = 0.0
    /// Blank cells in view at rest, added up: of a measurement in all frames after its end, of a window in
    /// the first one after each scroll.
    var blankCellsAtRest = 0
    /// Cells whose picture was there and was gone in the next frame.
    var flashes = 0
    /// Of cells.
    var picturesDrawn = 0
    /// Pictures that were begun or finished, and that no frame showed.
    var picturesDrawnNeverShown = 0
    var rowsShown = 0
    /// Where the feed was at the end, in points from its top.
    var offset = 0.0
    var residentMebibytes = 0.0
    var peakResidentMebibytes = 0.0

    @MainActor
    init(mode: DrawMode, scale: Double, view: FeedView, loop: FrameLoop, _ blanks: BlankCounter) {
        self.mode = mode.rawValue
        cells = view.layouts.count
        self.scale = scale
        let total = loop.meter.total
        frames = total.frames
        seconds = total.duration.seconds
        framesPerSecond = total.framesPerSecond
        hitchMillisecondsPerSecond = total.hitchMillisecondsPerSecond
        longestHitchMilliseconds = total.longestHitch.milliseconds
        droppedFrames = total.droppedFrames
        let work = Distribution(loop.workTimes.map(\.milliseconds))
        mainThreadMillisecondsP50 = work.p50
        mainThreadMillisecondsP99 = work.p99
        mainThreadMillisecondsLongest = work.max
        let processor = Distribution(loop.processorTimes.map(\.milliseconds))
        mainThreadProcessorMillisecondsP50 = processor.p50
        mainThreadProcessorMillisecondsP99 = processor.p99
        blankShare = blanks.share
        blankCellsAtRest = blanks.atRest
        flashes = view.counters.flashCount
        rowsShown = view.counters.shownCount
        let passes = DisplayMetrics.shared.snapshot()
        picturesDrawn = passes.draws
        picturesDrawnNeverShown = passes.wastedDraws + view.counters.neverShownCount
        offset = view.window.offset
        residentMebibytes = ProcessMemory.resident
        peakResidentMebibytes = ProcessMemory.peakResident
    }

    /// Writes them to a file.
    func write(to path: String) throws(ProgramError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
        } catch {
            throw ProgramError(.cannotCreate, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// For people.
    var table: String {
        func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
        let lines = [
            ("mode", "\(mode), \(cells) cells at scale \(number(scale, 2))"),
            ("frames", "\(frames) in \(number(seconds, 1)) s, \(number(framesPerSecond, 1)) a second"),
            (
                "hitches",
                "\(number(hitchMillisecondsPerSecond, 2)) ms/s, \(droppedFrames) frames dropped, "
                    + "longest \(number(longestHitchMilliseconds, 1)) ms"
            ),
            (
                "main thread",
                "p50 \(number(mainThreadMillisecondsP50, 2)) ms, p99 \(number(mainThreadMillisecondsP99, 2)) ms, "
                    + "longest \(number(mainThreadMillisecondsLongest, 2)) ms a frame"
            ),
            (
                "of which CPU",
                "p50 \(number(mainThreadProcessorMillisecondsP50, 2)) ms, "
                    + "p99 \(number(mainThreadProcessorMillisecondsP99, 2)) ms"
            ),
            ("blank in view", "\(number(blankShare * 100, 2)) %, \(blankCellsAtRest) at rest"),
            ("pictures", "\(picturesDrawn) drawn, \(picturesDrawnNeverShown) of them never shown"),
            ("rows shown", "\(rowsShown)"),
            (
                "memory",
                "\(number(residentMebibytes, 0)) MiB, at most \(number(peakResidentMebibytes, 0)) MiB"
            ),
        ]
        return lines.map { $0.0.padding(toLength: 15, withPad: " ", startingAt: 0) + $0.1 + "\n" }.joined()
    }
}

/// The memory of this process that is in use, in MiB, as Linux counts it.
enum ProcessMemory {
    static var resident: Double { field("VmRSS:") }
    static var peakResident: Double { field("VmHWM:") }

    private static func field(_ name: String) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
                Double($0)
            })
        else { return 0 }
        return kibibytes / 1_024
    }
}
