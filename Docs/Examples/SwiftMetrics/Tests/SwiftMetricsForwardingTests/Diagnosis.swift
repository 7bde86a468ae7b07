/// What an operator concludes from a scrape: the rules of the README, on the text alone.
enum Diagnosis: String {
    case starvedTier = "starved tier"
    case longJob = "long job"
    case hotKey = "hot key"
    case fullClass = "full class"

    /// The first rule that applies to a tier, or nil.
    ///
    /// - Parameters:
    ///   - tiers: those above it.
    ///   - former: the text of the scrape before.
    ///   - limit: the seconds after which a wait or a run is long.
    init?(
        of tier: String, below tiers: [String], in text: String, after former: String, limit: Double
    ) {
        func value(_ name: String, of tier: String = tier, in text: String) -> Double? {
            text.split(separator: "\n").first {
                $0.hasPrefix("queue_pool_\(name){") && $0.contains("tier=\"\(tier)\"")
            }.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
        }
        func value(_ name: String) -> Double? { value(name, in: text) }
        let waiting = value("jobs_waiting") ?? 0
        let refused = value("jobs_refused_total") ?? 0
        /// Whether a tier has had no free thread.
        func isBusy(_ tier: String) -> Bool {
            [text, former].allSatisfy { text in
                guard let threads = value("threads", of: tier, in: text), threads > 0 else { return false }
                return value("jobs_running", of: tier, in: text) ?? 0 >= threads
            }
        }
        let isIdle = value("jobs_running") == 0 && value("jobs_running", in: former) == 0
        if let wait = value("longest_wait_seconds"), wait > limit, isIdle || tiers.contains(where: isBusy) {
            self = .starvedTier
        } else if let age = value("longest_run_seconds"), age > limit {
            self = .longJob
        } else if waiting >= 10, value("fullest_queue_jobs_waiting") ?? 0 > 0.8 * waiting {
            self = .hotKey
        } else if waiting >= value("capacity") ?? .infinity || value("jobs_waiting_for_room") ?? 0 > 0
            || refused > value("jobs_refused_total", in: former) ?? 0
        {
            self = .fullClass
        } else {
            return nil
        }
    }
}
