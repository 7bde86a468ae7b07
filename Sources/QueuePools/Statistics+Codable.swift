// How statistics are encoded: counts, and times in seconds with the unit in the key. Written by hand, because
// a synthesized decoder refuses the code of a version that lacks one of its fields.

extension PoolStatistics {
    private enum CodingKeys: String, CodingKey { case tiers }

    private struct TierKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ tier: QoSTier) { stringValue = tier.name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tiers, forKey: .tiers)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tiers = [:]
        guard container.contains(.tiers), try !container.decodeNil(forKey: .tiers) else { return }
        // Not as a dictionary: a tier of a later version may be anything.
        let named = try container.nestedContainer(keyedBy: TierKey.self, forKey: .tiers)
        for tier in QoSTier.allCases {
            tiers[tier] = try named.decodeIfPresent(TierStatistics.self, forKey: TierKey(tier))
        }
    }
}

extension TierStatistics {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case submitted, refused, waitingForRoom, delayed, waiting, running, finished, cancelled, expired
        case movedIn, movedOut, threads, threadFailures, schedulingFailures
        case capacity, fullestQueue, longestWaitSeconds, longestRunSeconds, waitTimes, runTimes
    }

    private static var counts: [(CodingKeys, WritableKeyPath<TierStatistics, Int>)] {
        [
            (.submitted, \.submitted), (.refused, \.refused), (.waitingForRoom, \.waitingForRoom),
            (.delayed, \.delayed), (.waiting, \.waiting), (.running, \.running), (.finished, \.finished),
            (.cancelled, \.cancelled), (.expired, \.expired), (.movedIn, \.movedIn), (.movedOut, \.movedOut),
            (.threads, \.threads), (.threadFailures, \.threadFailures),
            (.schedulingFailures, \.schedulingFailures),
        ]
    }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (key, path) in Self.counts { try container.encode(self[keyPath: path], forKey: key) }
        try container.encodeIfPresent(capacity, forKey: .capacity)
        try container.encodeIfPresent(fullestQueue, forKey: .fullestQueue)
        try container.encode(seconds: longestWait, forKey: .longestWaitSeconds)
        try container.encode(seconds: longestRun, forKey: .longestRunSeconds)
        try container.encode(waitTimes, forKey: .waitTimes)
        try container.encode(runTimes, forKey: .runTimes)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for (key, path) in Self.counts { self[keyPath: path] = try container.decodeCount(forKey: key) }
        capacity = try container.decodeIfPresent(Int.self, forKey: .capacity)
        fullestQueue = try container.decodeIfPresent(QueueActivity.self, forKey: .fullestQueue)
        longestWait = try container.decodeSeconds(forKey: .longestWaitSeconds)
        longestRun = try container.decodeSeconds(forKey: .longestRunSeconds)
        waitTimes = try container.decodeIfPresent(TimeSummary.self, forKey: .waitTimes) ?? TimeSummary()
        runTimes = try container.decodeIfPresent(TimeSummary.self, forKey: .runTimes) ?? TimeSummary()
    }
}

extension TimeSummary {
    private enum CodingKeys: String, CodingKey {
        case sampleCount, sumSeconds, p50Seconds, p90Seconds, p99Seconds, maximumSeconds, buckets
    }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sampleCount, forKey: .sampleCount)
        try container.encode(seconds: sum, forKey: .sumSeconds)
        try container.encode(seconds: p50, forKey: .p50Seconds)
        try container.encode(seconds: p90, forKey: .p90Seconds)
        try container.encode(seconds: p99, forKey: .p99Seconds)
        try container.encode(seconds: maximum, forKey: .maximumSeconds)
        try container.encode(buckets, forKey: .buckets)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sampleCount = try container.decodeCount(forKey: .sampleCount)
        sum = try container.decodeSeconds(forKey: .sumSeconds) ?? .zero
        p50 = try container.decodeSeconds(forKey: .p50Seconds) ?? .zero
        p90 = try container.decodeSeconds(forKey: .p90Seconds) ?? .zero
        p99 = try container.decodeSeconds(forKey: .p99Seconds) ?? .zero
        maximum = try container.decodeSeconds(forKey: .maximumSeconds) ?? .zero
        buckets = try container.decodeIfPresent([Bucket].self, forKey: .buckets) ?? []
    }
}

extension TimeSummary.Bucket {
    private enum CodingKeys: String, CodingKey { case upperBoundSeconds, count }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seconds: upperBound, forKey: .upperBoundSeconds)
        try container.encode(count, forKey: .count)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            upperBound: try container.decodeSeconds(forKey: .upperBoundSeconds) ?? .zero,
            count: try container.decodeCount(forKey: .count))
    }
}

extension RunningJob {
    private enum CodingKeys: String, CodingKey { case queue, label, ageSeconds }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(queue, forKey: .queue)
        try container.encodeIfPresent(label, forKey: .label)
        try container.encode(seconds: age, forKey: .ageSeconds)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            queue: try container.decodeIfPresent(String.self, forKey: .queue) ?? "",
            label: try container.decodeIfPresent(String.self, forKey: .label),
            age: try container.decodeSeconds(forKey: .ageSeconds) ?? .zero)
    }
}

extension QueueActivity {
    private enum CodingKeys: String, CodingKey { case label, waiting, longestWaitSeconds, running }

    /// Encodes the fields in the form that ``PoolStatistics`` describes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label, forKey: .label)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(seconds: longestWait, forKey: .longestWaitSeconds)
        try container.encode(running, forKey: .running)
    }

    /// Decodes the form of any version; see ``PoolStatistics``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            label: try container.decodeIfPresent(String.self, forKey: .label) ?? "",
            waiting: try container.decodeCount(forKey: .waiting),
            longestWait: try container.decodeSeconds(forKey: .longestWaitSeconds),
            running: try container.decodeIfPresent([RunningJob].self, forKey: .running) ?? [])
    }
}

/// 292 years, which a count of nanoseconds in 64 bits holds. Longer times are encoded as this.
private let longest = 0x1p63 / 1e9

extension KeyedEncodingContainer {
    fileprivate mutating func encode(seconds duration: Duration?, forKey key: Key) throws {
        try encodeIfPresent(
            duration.map { min(max(Double($0.attoseconds) / 1e18, -longest), longest) }, forKey: key)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeCount(forKey key: Key) throws -> Int {
        let count = try decodeIfPresent(Int.self, forKey: key) ?? 0
        guard count >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "a count is zero or more, not \(count)")
        }
        return count
    }

    /// To the nanosecond, in which all times are measured; above 52 days, to 15 digits.
    fileprivate func decodeSeconds(forKey key: Key) throws -> Duration? {
        guard let seconds = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard abs(seconds) <= longest else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(seconds) seconds are more than 292 years")
        }
        return Duration(attoseconds: Int128((seconds * 1e9).rounded()) * 1_000_000_000)
    }
}
