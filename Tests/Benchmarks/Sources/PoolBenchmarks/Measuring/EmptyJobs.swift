import QueuePools

/// A batch of empty jobs for one producer to submit: their numbers, and where they count themselves.
///
/// A contender submits one closure for each number, in its own idiom and in a loop of its own, so nothing of
/// the harness comes between the contender and its jobs.
struct EmptyJobs: Sendable {
    let tally: Tally
    let numbers: Range<Int>
    let tiers: TierCycle

    /// The tier of a job.
    @inline(__always)
    func tier(of number: Int) -> QoSTier { tiers[number] }

    /// The object that a job is about, one of a thousand.
    @inline(__always)
    func key(of number: Int) -> Int { number &* 40_503 & 1_023 }
}

/// Tiers that take turns. As cheap as an index: the tier of a job is worked out in the timed loop.
struct TierCycle: @unchecked Sendable {  // what the pointers lead to is never changed or freed
    /// A power of two less one.
    let mask: Int
    let tiers: UnsafePointer<QoSTier>
    /// The tiers' raw values, for C++.
    let rawValues: UnsafePointer<UInt8>

    private init(_ tiers: QoSTier...) {
        precondition(tiers.count.nonzeroBitCount == 1, "only a power of two can be cycled through by a mask")
        mask = tiers.count - 1
        let copy = UnsafeMutableBufferPointer<QoSTier>.allocate(capacity: tiers.count)
        _ = copy.initialize(from: tiers)
        self.tiers = UnsafePointer(copy.baseAddress!)
        let rawCopy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: tiers.count)
        _ = rawCopy.initialize(from: tiers.map { UInt8($0.rawValue) })
        rawValues = UnsafePointer(rawCopy.baseAddress!)
    }

    @inline(__always)
    subscript(number: Int) -> QoSTier { tiers[number & mask] }

    /// Only the default tier.
    static let one = TierCycle(.default)

    /// The four tiers from utility up.
    static let four = TierCycle(.utility, .default, .userInitiated, .userInteractive)
}
