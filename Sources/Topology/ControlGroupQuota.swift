/// The CPU time that a control group grants in each period, as a number of CPUs.
///
/// Fractions round up. Of a quota of 1.5 CPUs one thread can use only 1, while two can use it all; being
/// throttled now and then near the end of a period costs less than leaving time unused always.
enum ControlGroupQuota {
    /// From version 2's `cpu.max`: quota and period in microseconds, or `max` in place of the quota. Nil
    /// means no limit, or a text that makes no sense.
    static func processors(cpuMax text: String) -> Int? {
        let fields = text.trimmingBlanks().split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 2 else { return nil }
        return processors(quota: String(fields[0]), period: String(fields[1]))
    }

    /// From version 1's `cpu.cfs_quota_us` (−1 for none) and `cpu.cfs_period_us`.
    static func processors(quota: String, period: String) -> Int? {
        guard let quota = Int(quota.trimmingBlanks()), let period = Int(period.trimmingBlanks()),
            quota > 0, period > 0
        else { return nil }
        return quota / period + (quota % period > 0 ? 1 : 0)
    }
}
