import QueuePools

/// What the server does, in the text format of Prometheus.
struct TileMetrics {
    let store: TileStore
    let pool: DefaultQueuePool

    func text() -> String {
        var text = PrometheusText(prefix: "tiles")
        let counts = store.counts
        text.counter("requests_total", "Tiles asked for.", counts.requests)
        text.counter("answered_total", "Requests that got their tile.", counts.answered)
        text.counter("abandoned_total", "Requests whose client left before.", counts.abandoned)
        text.counter("refused_total", "Requests turned away: too many tiles waited.", counts.refused)
        text.counter("failed_total", "Requests whose tile could not be drawn.", counts.failed)
        text.counter("shared_total", "Requests that joined a draw for another one.", counts.shared)
        text.counter("raised_total", "Prefetched tiles that came to be looked at.", counts.raised)
        text.counter("draws_started_total", "Draws that began.", counts.drawsStarted)
        text.counter(
            "draws_started_for_abandoned_total", "Draws that began after every request had left.",
            counts.drawsStartedForAbandoned)
        text.counter("draws_finished_total", "Draws that were done.", counts.drawsFinished)
        text.counter("draws_failed_total", "Draws that met an error.", counts.drawsFailed)
        text.counter(
            "draws_cancelled_before_start_total", "Draws taken off their queue.", counts.cancelledBeforeStart)
        text.counter(
            "draws_cancelled_while_drawing_total", "Draws stopped between rows.",
            counts.cancelledWhileDrawing)
        text.gauge("waiting", "Tiles that wait to be drawn.", counts.waiting)
        text.gauge("drawing", "Tiles being drawn.", counts.drawing)
        text.gauge(
            "drawing_bytes", "Memory of the pictures being drawn.", counts.drawing * TileDrawing.byteCount)
        text.counter("cache_hits_total", "Requests answered from the cache.", counts.cacheHits)
        text.gauge("cache_bytes", "Bytes in the cache.", store.cachedBytes)
        text.gauge("cache_limit_bytes", "Bytes that the cache may take.", store.limits.cacheBytes)
        text.gauge("cache_tiles", "Tiles in the cache.", store.cachedTiles)
        addPool(to: &text)
        if let bytes = ProcessMemory.residentBytes {
            text.gauge("process_resident_bytes", "Memory of the process.", bytes)
        }
        return text.text
    }

    private func addPool(to text: inout PrometheusText) {
        let statistics = pool.statistics
        let tiers = [Urgency.interactive, .prefetched].map {
            (name: $0.tier.name, figures: statistics[$0.tier])
        }
        func each(_ figure: (TierStatistics) -> Int) -> [PrometheusText.Sample] {
            tiers.map { PrometheusText.Sample(["tier": $0.name], Double(figure($0.figures))) }
        }
        text.add("pool_jobs_submitted_total", "Jobs accepted.", .counter, each(\.submitted))
        text.add("pool_jobs_finished_total", "Jobs that ran.", .counter, each(\.finished))
        text.add("pool_jobs_cancelled_total", "Jobs taken off their queue.", .counter, each(\.cancelled))
        text.add("pool_jobs_waiting", "Jobs queued.", .gauge, each(\.waiting))
        text.add("pool_jobs_running", "Jobs on a thread.", .gauge, each(\.running))
        text.add("pool_threads", "Threads of the tier.", .gauge, each(\.threads))
        text.add(
            "pool_wait_seconds", "From submission to start, of one job in sixteen.", .gauge,
            tiers.flatMap { tier in
                let times = tier.figures.waitTimes
                return [("0.5", times.p50), ("0.9", times.p90), ("0.99", times.p99), ("1", times.maximum)].map
                {
                    PrometheusText.Sample(["quantile": $0, "tier": tier.name], $1 / .seconds(1))
                }
            })
    }
}
