import Testing

@testable import QueuePoolsTopology

@Suite("A CPU list")
struct CPUListTests {
    @Test(
        "is read in every form that the kernel prints",
        arguments: [
            ("0", [0]),
            ("0-3\n", [0, 1, 2, 3]),
            ("0-3,5,7-8", [0, 1, 2, 3, 5, 7, 8]),
            ("2,64,1024-1025\n", [2, 64, 1024, 1025]),
            ("  1 \n", [1]),
            ("4-4", [4]),
        ])
    func wellFormed(text: String, cpus: [Int]) {
        #expect(CPUList.parse(text) == cpus)
    }

    @Test(
        "whose parts do not ascend is none of the kernel's",
        arguments: ["5,0-2", "0-2,1-3", "0-3,3", "1,1", "0-65535,0-65535"])
    func unordered(text: String) {
        #expect(CPUList.parse(text) == nil)
    }

    @Test("of any length is refused as soon as it names a CPU again")
    func hostile() {
        let text = String(repeating: "0-65535,", count: 500_000) + "0-65535"
        #expect(CPUList.parse(text) == nil)
    }

    @Test(
        "that is garbled is no list",
        arguments: [
            "", "\n", ",", "0,", ",0", "-", "-1", "0-", "3-1", "0--1", "0-1-2", "+1", "a", "0-b", "0 1",
            "0x1",
            "1.5", "\0", "\u{FFFD}", "٣", "0-99999999999999999999", "0-65536", "9223372036854775807",
        ])
    func garbled(text: String) {
        #expect(CPUList.parse(text) == nil)
    }
}
