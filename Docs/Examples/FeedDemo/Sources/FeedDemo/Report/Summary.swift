import Foundation
import QueuePoolsTopology

/// What `summary.json` holds. It names no host, no user and no path, so that it can be passed on.
struct Summary: Codable, Equatable, Sendable {
    /// What the figures were measured on.
    struct Machine: Codable, Equatable, Sendable {
        var operatingSystem: String
        var architecture: String
        /// How many cores this process can really use.
        var activeProcessors: Int
        /// True when the program ran with the user id 0, which may raise the priority of threads.
        var isRoot: Bool

        /// This machine.
        static var current: Machine {
            Machine(
                operatingSystem: ProcessInfo.processInfo.operatingSystemVersionString,
                architecture: architectureName,
                activeProcessors: CPUTopology.current().activeProcessorCount,
                isRoot: getuid() == 0)
        }

        private static var architectureName: String {
            #if arch(x86_64)
                "x86_64"
            #elseif arch(arm64)
                "arm64"
            #else
                "other"
            #endif
        }
    }

    /// What was read.
    struct Input: Codable, Equatable, Sendable {
        var files: Int
        var cells: Int
        var characters: Int
    }

    /// What all modes of one renderer have in common.
    struct Layout: Codable, Equatable, Sendable {
        var renderer: FeedRenderer
        /// The height of all cells together, in points: the longer, the more there is to scroll past.
        var contentHeight: Double
        /// True when all modes that scroll showed the same in the end, pixel for pixel.
        var lastPicturesAreEqual: Bool
    }

    var machine: Machine
    var input: Input
    /// One for each renderer, in the order in which they ran.
    var layouts: [Layout]
    var hz: Int
    var framesPerMode: Int
    /// In points.
    var viewportWidth: Int
    /// In points.
    var viewportHeight: Int
    /// Pixels per point.
    var scale: Double
    /// How long drawing a cell took at least, in the scroll and in the storm.
    var drawCost: DrawCost
    var stormDrawCost: DrawCost
    var isDebugBuild: Bool
    /// Of each renderer, in the order in which they ran.
    var modes: [ModeResult]

    /// Gathers what there is to say.
    init(machine: Machine = .current, feed: Feed, options: FeedDemoOptions, renderers: [RendererRun]) {
        self.machine = machine
        input = Input(files: feed.fileCount, cells: feed.items.count, characters: feed.characterCount)
        layouts = renderers.map {
            Layout(
                renderer: $0.renderer, contentHeight: $0.contentHeight,
                lastPicturesAreEqual: $0.lastPicturesAreEqual)
        }
        hz = options.hz
        framesPerMode = options.frames
        viewportWidth = options.width
        viewportHeight = options.height
        scale = options.scale
        drawCost = options.drawCost
        stormDrawCost = options.stormDrawCost
        isDebugBuild = Summary.isBuiltForDebugging
        modes = renderers.flatMap { $0.runs.map(\.result) }
    }

    /// The tables that the figures make, one for each scenario that was run.
    var tables: [FigureTable] {
        FeedMode.Scenario.allCases.compactMap { FigureTable(of: $0, from: modes) }
    }

    /// The JSON text: keys sorted, so that two runs can be compared line by line.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Debug builds draw many times more slowly; their figures are no measure of anything.
    private static var isBuiltForDebugging: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
