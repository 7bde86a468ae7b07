import BitmapRendering
import Foundation
@main enum FeedDemo {
    @MainActor static func main() throws {
        let feed = try FeedLoader.load(Array(CommandLine.arguments.dropFirst(1)))
        let options = Options()
        let layouts = feed.items.enumerated().map {
            CellLayout(item: $1, number: $0 + 1, width: Double(options.width))
        }
        print(layouts.count)
        for mode in FeedMode.allCases {
            let out = try ModeRunner(layouts: layouts, options: options, progress: { _ in }).run(mode)
            let r = out.run.result
            print(
                mode, r.framesOverBudget, r.hitchMillisecondsPerSecond, r.mainThreadMilliseconds, r.passes,
                r.peakThreads ?? 0, r.peakBytesInFlight, r.emptyCellRatio)
            if let s = out.screenshot {
                let bytes = s.withUnsafeBytes { Array($0) }
                try Data(PNG.encode(width: s.pixelWidth, height: s.pixelHeight, rgba: bytes)).write(
                    to: URL(fileURLWithPath: "/tmp/feed-\(mode).png"))
            }
        }
    }
}
