#if os(Linux)
    import TestSupport
    import Testing

    @Suite("At the top level of main.swift", .timeLimit(.minutes(15)))
    struct TopLevelCodeTests {
        @Test("await reaches the asynchronous form of a pool's shutdown and of a group's display")
        func asynchronousForms() throws {
            let lines = try ChildProgram("TopLevelProbe").run()
            #expect(lines == ["1000 jobs have ended", "1 layer appeared", "the layer has contents"])
        }
    }
#endif
