import Testing

import TileServing

@Suite("Metrics", .timeLimit(.minutes(5)))
struct MetricsTests {
    /// The samples of a text, by name and labels. Checks what Prometheus would check.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var declared: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words[1] == "TYPE" {
                    #expect(declared.insert(words[2]).inserted, "\(words[2]) is declared twice")
                    #expect(["counter", "gauge", "histogram"].contains(words[3]))
                    #expect((words[3] == "counter") == words[2].hasSuffix("_total"))
                }
                continue
            }
            let space = try #require(line.lastIndex(of: " "))
            let name = line[..<space]
            var metric = name.prefix { $0 != "{" }
            for suffix in ["_bucket", "_sum", "_count"] where metric.hasSuffix("_seconds\(suffix)") {
                metric = metric.dropLast(suffix.count)
            }
            #expect(declared.contains(metric), "\(name) is not declared")
            let value = try #require(Double(line[line.index(after: space)...]))
            #expect(samples.updateValue(value, forKey: String(name)) == nil)
        }
        #expect(text.hasSuffix("\n"))
        return samples
    }

    @Test("tell what became of the requests and the draws, of cache, memory and pool")
    func values() async throws {
        try await TestServer.run { server in
            for path in ["1/0/0", "1/0/1", "1/0/0"] {
                let answer = try await server.get("/tiles/\(path).png")
                #expect(answer.status == 200)
            }
            let gate = try await server.pool.hold(.utility)
            let (leaves, stays) = (try Client(port: server.port), try Client(port: server.port))
            try leaves.send("/tiles/2/0/0.png?prefetch=1")
            try stays.send("/tiles/2/0/1.png?prefetch=1")
            try await eventually { server.pool.waiting == 2 }
            leaves.hangUp(.close)
            try await eventually { server.store.counts.abandoned == 1 }
            let answer = try await server.get("/metrics")
            let cachedBytes = server.store.cachedBytes
            gate.open()
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let samples = try samples(answer.text)
            let expected: [String: Double] = [
                "tiles_requests_total": 5, "tiles_answered_total": 3, "tiles_abandoned_total": 1,
                "tiles_refused_total": 0, "tiles_cache_hits_total": 1, "tiles_cache_tiles": 2,
                "tiles_cache_limit_bytes": 67_108_864, "tiles_draws_started_total": 2,
                "tiles_draws_finished_total": 2, "tiles_draws_stopped_total": 0,
                #"queue_pool_threads{pool="tiles",tier="utility"}"#: 1,
                #"queue_pool_jobs_waiting{pool="tiles",tier="utility"}"#: 1,
                #"queue_pool_jobs_cancelled_total{pool="tiles",tier="utility"}"#: 1,
                #"queue_pool_jobs_finished_total{pool="tiles",tier="userInitiated"}"#: 2,
                #"queue_pool_wait_seconds_count{pool="tiles",tier="userInitiated"}"#: 2,
                #"queue_pool_capacity{pool="tiles",tier="utility"}"#: 256,
                #"queue_pool_longest_run_seconds{pool="tiles",tier="userInitiated"}"#: 0,
            ]
            for (name, value) in expected { #expect(samples[name] == value, "\(name)") }
            for name in ["wait", "run"] {
                let name = "queue_pool_longest_\(name)_seconds{pool=\"tiles\",tier=\"utility\"}"
                #expect(samples[name, default: 0] > 0, "\(name)")
            }
            #expect(samples["tiles_cache_bytes"] == Double(cachedBytes))
            #expect(samples["tiles_process_resident_bytes", default: 0] > 1_000_000)
        }
    }
}
