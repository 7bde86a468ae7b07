#if os(Linux)
    import Foundation
    import MemoryModel
    import Testing

    /// The engine's own files, in small programs. One after the other, because one thread of the process
    /// explores at a time.
    @Suite("The engine that ships, in a model of memory", .serialized, .timeLimit(.minutes(15)))
    struct ModelTests {
        private static let complete = ModelProgram.mailbox + ModelProgram.capacities
        private static let bounded =
            (ModelProgram.threads + ModelProgram.calls + ModelProgram.lanes + ModelProgram.supervisor).map {
                var program = $0
                program.executionLimit = SiteSearch.limit
                return program
            }
        static let programs = complete + bounded

        /// The explorers of programs that were explored, each once. Ordered by the suite, which is
        /// serialized.
        private nonisolated(unsafe) static var explored: [String: Explorer] = [:]

        private static func explore(_ program: ModelProgram) throws -> Explorer {
            if let explorer = explored[program.name] { return explorer }
            let explorer = Explorer(program)
            try explorer.run()
            if let limit = program.executionLimit, explorer.executions >= limit {
                try Explorer(program, sharedSites: explorer.sharedSites).run(drawing: SiteSearch.drawnCount)
            }
            explored[program.name] = explorer
            return explorer
        }

        @Test("as the code has them, no program fails", arguments: programs.map(\.name))
        func holds(name: String) throws {
            _ = try Self.explore(#require(Self.programs.first { $0.name == name }))
        }

        @Test("each ordering that is stronger than relaxed is needed, as the table says")
        func weakened() throws {
            let search = try SiteSearch(
                Self.programs.map(Self.explore),
                in: Set(EngineSource.files().map { URL(filePath: $0).lastPathComponent }))
            let document = URL(filePath: #filePath).appending(path: "../../../Docs/Orderings.md").standardized
            let text = try String(contentsOf: document, encoding: .utf8)
            let rows = search.rows(guidedBy: text.components(separatedBy: "\n"))
            for row in rows where row.shown == nil {
                Issue.record("no program fails with \(row.key)")
            }
            for path in try EngineSource.files() {
                let file = URL(filePath: path).lastPathComponent
                for (line, function) in try EngineSource.orderedCalls(inFile: path)
                where !EngineSource.isForStatistics(file, function) {
                    #expect(
                        search.sites.contains { ($0.file, $0.line) == (file, line) },
                        "no program executes \(file):\(line)")
                }
            }
            let table = rows.map(\.row).joined(separator: "\n")
            let marks = ("<!-- generated -->\n", "\n<!-- end -->")
            let begin = try #require(text.range(of: marks.0)), end = try #require(text.range(of: marks.1))
            guard ProcessInfo.processInfo.environment["WRITE_ORDERINGS"] != nil else {
                let known = text[begin.upperBound..<end.lowerBound].components(separatedBy: "\n")
                for row in rows where !known.contains(where: { $0.hasPrefix(row.key) }) {
                    Issue.record("Orderings.md lacks \(row.row)")
                }
                for line in known where !rows.contains(where: { line.hasPrefix($0.key) }) {
                    Issue.record("the code has no such ordering any more: \(line)")
                }
                return
            }
            try text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
                .write(to: document, atomically: true, encoding: .utf8)
        }
    }
#endif
