import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

// Checks what PoolBenchmarks has written: `check-benchmarks <results.json> <picture.svg> [oneTBB]`; with the
// last word, that peer must take part.

struct Entry: Decodable {
    let benchmark: String
    let contender: String
    let unit: String
    let median: Double
    let p99: Double?
    let low: Double
    let high: Double
    let ratio: Double?
}

nonisolated(unsafe) var failures = 0

func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    failures += 1
    print("error: \(message())")
}

func checkResults(_ data: Data) throws {
    let entries = try JSONDecoder().decode([Entry].self, from: data)
    for entry in entries {
        let name = "\(entry.benchmark)/\(entry.contender)"
        expect(!entry.unit.isEmpty, "\(name) has no unit")
        expect(
            0 <= entry.low && entry.low <= entry.median && entry.median <= entry.high,
            "\(name): the median \(entry.median) is not between \(entry.low) and \(entry.high)")
        expect((entry.ratio ?? 0) >= 0, "\(name) has the ratio \(entry.ratio ?? 0)")
    }
    checkCompleteness(Dictionary(grouping: entries, by: \.benchmark))
}

func checkCompleteness(_ benchmarks: [String: [Entry]]) {
    let names = [
        "selection-1-thread", "selection-contended", "empty-job-1-producer", "empty-job-4-producers-4-tiers",
        "sticky-keys", "task", "wake-up-warm", "wake-up-warm-caller", "wake-up-while-busy", "wake-up-idle-6s",
        "wake-up-idle-6s-caller", "ui-latency-under-load", "ui-cpu-share", "blocking-mix",
        "blocking-mix-threads", "cancel-waiting", "cancel-check", "queues-1", "queues-64", "producers-1",
        "producers-16", "sync-idle", "actor-hop", "run-value", "blocking-500", "blocking-500-cold",
        "delayed-start", "carried-context", "many-queues", "many-queues-in-turn", "many-queues-one",
    ]
    for name in names {
        let entries = benchmarks[name] ?? []
        expect(entries.count >= 3, "\(name) has \(entries.count) contenders")
        expect(entries.contains { $0.ratio == 1 }, "\(name) compares with no contender")
    }
    for name in ["wake-up-warm", "ui-latency-under-load"] {
        expect(benchmarks[name]?.allSatisfy { $0.p99 != nil } ?? false, "\(name) has no 99th percentiles")
    }
    let contenders = Set(benchmarks["empty-job-1-producer"]?.map(\.contender) ?? [])
    let peers: [String] =
        [
            "DispatchQueuePool", "DispatchQueues by hand", "DispatchQueue.global", "concurrent DispatchQueue",
            "OperationQueue", "NIOThreadPool", "Task.detached", "TaskExecutor on DispatchQueue",
        ] + CommandLine.arguments.dropFirst(3)
    expect(
        contenders.isSuperset(of: peers), "missing contenders: \(Set(peers).subtracting(contenders).sorted())"
    )
}

func checkPicture(_ data: Data) {
    let parser = XMLParser(data: data)
    expect(parser.parse(), "the picture is no XML: \(String(describing: parser.parserError))")
    expect(String(decoding: data.prefix(300), as: UTF8.self).contains("<svg"), "the picture is no SVG")
}

guard [3, 4].contains(CommandLine.arguments.count) else {
    print("usage: check-benchmarks <results.json> <picture.svg> [oneTBB]")
    exit(64)
}
do {
    try checkResults(Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
    checkPicture(try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[2])))
} catch {
    expect(false, "\(error)")
}
exit(failures == 0 ? 0 : 1)
