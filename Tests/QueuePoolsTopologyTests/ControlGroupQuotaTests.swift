import Testing

@testable import QueuePoolsTopology

@Suite("A CPU quota")
struct ControlGroupQuotaTests {
    @Test(
        "of version 2 is a number of CPUs, fractions rounded up",
        arguments: [
            ("200000 100000\n", 2),
            ("150000 100000", 2),
            ("100001 100000", 2),
            ("50000 100000", 1),
            ("1 1000000", 1),
            ("9223372036854775807 1", Int.max),
            ("9223372036854775807 2", Int.max / 2 + 1),
        ])
    func version2(text: String, processors: Int) {
        #expect(ControlGroupQuota.processors(cpuMax: text) == processors)
    }

    @Test(
        "of version 2 that is max, zero, negative or garbled is no limit",
        arguments: [
            "max 100000\n", "max", "", "\n", "100000", "0 100000", "-1 100000", "100000 0", "100000 -1",
            "100000 max", "a b", "1 2 3", "100000  100000", "1e5 100000", "99999999999999999999 100000",
        ])
    func version2Unlimited(text: String) {
        #expect(ControlGroupQuota.processors(cpuMax: text) == nil)
    }

    @Test(
        "of version 1 is a number of CPUs, fractions rounded up",
        arguments: [("400000\n", "100000\n", 4), ("250000", "100000", 3), ("1000", "100000", 1)])
    func version1(quota: String, period: String, processors: Int) {
        #expect(ControlGroupQuota.processors(quota: quota, period: period) == processors)
    }

    @Test(
        "of version 1 that is -1, zero, negative or garbled is no limit",
        arguments: [
            ("-1\n", "100000\n"), ("0", "100000"), ("-7", "100000"), ("100000", "0"), ("100000", "-1"),
            ("", "100000"), ("100000", ""), ("max", "100000"), ("100000", "x"),
        ])
    func version1Unlimited(quota: String, period: String) {
        #expect(ControlGroupQuota.processors(quota: quota, period: period) == nil)
    }
}
