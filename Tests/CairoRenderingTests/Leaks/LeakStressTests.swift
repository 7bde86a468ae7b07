#if Cairo
    import CAllocations
    import TestSupport
    import Testing

    /// Cairo's and Pango's objects are counted by the memory that they take. What the libraries keep for the
    /// process, fonts and glyphs, grows by some megabytes at first and then hardly; an object that is
    /// forgotten in each pass takes tens of megabytes in 10⁵ passes, which is what a scale of 100 makes.
    ///
    /// In a process of its own, whose memory no other test uses. Under a sanitizer the C library counts
    /// nothing; there Leak Sanitizer finds what was forgotten, when that process ends.
    @Suite("Cairo under stress", .serialized, .timeLimit(.minutes(30)))
    struct LeakStressTests {
        @Test(
            "passes that show texts, images and compositions, or end early, leave no object of Cairo or Pango behind"
        )
        func passesLeaveNothing() async {
            await #expect(processExitsWith: .success) {
                let passes = 1_000 * StressPlan.scale
                _ = try await LeakStage.run(passes: 2_000)
                let before = Int(allocations_bytes())
                let tally = try await LeakStage.run(passes: passes)
                let growth = Int(allocations_bytes()) - before

                #expect(tally.ended >= passes)
                #expect(tally.committed > 0 && tally.superseded > 0 && tally.failed > 0)
                #expect(growth < 6 << 20, "\(growth) bytes are left of \(tally.ended) passes")
            }
        }
    }
#endif
