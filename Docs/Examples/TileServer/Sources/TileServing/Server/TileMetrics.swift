import QueuePools
import SwiftMetricsForwarding

/// What the server does, in the text format of Prometheus.
struct TileMetrics {
    let store: TileStore
    let pool: DefaultQueuePool

    func text() -> String {
        var text = PrometheusText()
        func counter(_ name: String, _ help: String, _ value: Int) {
            text.add("tiles_\(name)_total", help, .counter, [.init([], Double(value))])
        }
        func gauge(_ name: String, _ help: String, _ value: Int) {
            text.add("tiles_\(name)", help, .gauge, [.init([], Double(value))])
        }
        let counts = store.counts
        counter("requests", "Tiles asked for.", counts.requests)
        counter("answered", "Requests that got their tile.", counts.answered)
        counter("abandoned", "Requests whose client left before.", counts.abandoned)
        counter("refused", "Requests turned away.", counts.refused)
        counter("failed", "Requests whose tile could not be drawn.", counts.failed)
        counter("shared", "Requests that joined a draw for another one.", counts.shared)
        counter("raised", "Prefetched tiles that came into view.", counts.raised)
        counter("draws_started", "Draws that began.", counts.drawsStarted)
        counter("draws_finished", "Draws that were done.", counts.drawsFinished)
        counter("draws_stopped", "Draws that had begun, and that every request left.", counts.drawsStopped)
        counter("cache_hits", "Requests answered from the cache.", counts.cacheHits)
        gauge("cache_bytes", "Bytes in the cache.", store.cachedBytes)
        gauge("cache_limit_bytes", "Bytes that the cache may take.", store.limits.cacheBytes)
        gauge("cache_tiles", "Tiles in the cache.", store.cachedTiles)
        if let bytes = ProcessMemory.residentBytes {
            gauge("process_resident_bytes", "Memory of the process.", bytes)
        }
        let drawing: [QoSTier] = [Urgency.interactive.tier, Urgency.prefetched.tier]
        text.add(
            PoolStatistics(tiers: pool.statistics.tiers.filter { drawing.contains($0.key) }),
            ofPool: pool.label)
        return text.text
    }
}
