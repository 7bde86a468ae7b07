import AsyncLayers
import Foundation
import Metrics
import MetricsTestKit
import QueuePools
import SwiftMetricsForwarding

/// Displays layers for a second, and prints what arrived in swift-metrics, and what Prometheus would read of
/// the pool that drew.
@main
struct SwiftMetricsExample {
    static func main() {
        Task { @MainActor in
            do {
                print(try await displayForAWhile().table)
                var text = PrometheusText()
                let used = DefaultQueuePool.shared.statistics.tiers.filter { $1.submitted > 0 }
                text.add(PoolStatistics(tiers: used), ofPool: DefaultQueuePool.shared.label)
                print("\n\(text.text)", terminator: "")
                exit(EXIT_SUCCESS)
            } catch {
                print("error: \(error)")
                exit(EXIT_FAILURE)
            }
        }
        RunLoop.main.run()
    }

    @MainActor
    private static func displayForAWhile() async throws -> TestMetrics {
        // A backend that keeps everything, because there is no server here. Your program bootstraps its own.
        let backend = TestMetrics()
        MetricsSystem.bootstrap(backend)

        var pool = PoolMetrics(pool: DefaultQueuePool.shared.label)
        let host = DisplayHost(metrics: DisplayMetrics(handlers: [SwiftMetricsHandler()]))
        let tiles = (1...8).map { Tile(number: $0, host: host) }
        for frame in 0..<120 {
            for (index, tile) in tiles.enumerated() where (frame + index) % 4 == 0 {
                // Half of the tiles are displayed again within the turn: their first pass is superseded.
                if index % 2 == 0 { tile.layer.display() }
                tile.change()
            }
            try await Task.sleep(for: .milliseconds(8))
        }
        for tile in tiles { try await tile.layer.displayed() }
        // Your program does this every ten seconds.
        pool.record(DefaultQueuePool.shared.statistics)
        return backend
    }
}

extension TestMetrics {
    /// What arrived, a line for each metric: its name and dimensions, how often it was recorded, and of
    /// timers the mean and the longest.
    fileprivate var table: String {
        let counts = counters.filter { $0.totalValue > 0 }.map { counter in
            row(counter.label, counter.dimensions, "\(counter.totalValue)")
        }
        let times = timers.compactMap { timer in
            timer.values.max().map { longest in
                let mean = timer.values.reduce(0, +) / Int64(timer.values.count)
                let figures = "\(timer.values.count), mean \(mean / 1_000) µs, longest \(longest / 1_000) µs"
                return row(timer.label, timer.dimensions, figures)
            }
        }
        return (counts.sorted() + times.sorted()).joined(separator: "\n")
    }

    private func row(_ label: String, _ dimensions: [(String, String)], _ figures: String) -> String {
        let name = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        return name + String(repeating: " ", count: max(1, 52 - name.count)) + figures
    }
}
