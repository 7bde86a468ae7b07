#if os(Linux)
    import MemoryModel
    import Testing

    extension ModelTests {
        @Suite("The explorer of programs")
        struct ExplorerTests {
            @Test("a violation has the steps of the execution that failed, in which sites became shared")
            func explanation() throws {
                let explorer = Explorer(
                    ModelProgram("a reader fails") { execution in
                        let x = AtomicLocation(at: ModelMemory.allocate(byteCount: 8, alignment: 8))
                        execution.thread("writer") { Hand().store(x, 1, .relaxed) }
                        execution.thread("reader") {
                            for _ in 0..<2 { _ = Hand().load(x, .relaxed) }
                            execution.explorer.fail("it has read twice")
                        }
                    })
                let violation = try #require(throws: Violation.self) { try explorer.run() }
                #expect(explorer.executions == 2)  // the first failed, and was executed again to be explained
                #expect(violation.reason == "it has read twice")
                let threads = violation.trace.map { $0.prefix { $0 != ":" && $0 != " " } }
                #expect(threads == ["writer", "writer", "reader", "reader"])
            }
        }
    }
#endif
