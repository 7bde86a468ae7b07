extension UInt64 {
    /// A time of the monotonic clock, in nanoseconds, some time later: not earlier than now, and `.max` where
    /// it would be beyond all times.
    func advanced(by delay: Duration) -> UInt64 {
        guard delay > .zero else { return self }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, isTooFar) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (deadline, isBeyond) = addingReportingOverflow(nanoseconds)
        return isTooFar || isBeyond || deadline > .max / 2
            ? .max : deadline + UInt64(attoseconds / 1_000_000_000)
    }
}
