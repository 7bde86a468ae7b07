#if os(Linux)
    import Foundation
    import MemoryModel
    import Testing

    /// The engine's own files, in small programs. One after the other, because one thread of the process
    /// explores at a time.
    @Suite("The engine that ships, in a model of memory", .serialized, .timeLimit(.minutes(15)))
    struct ModelTests {
        static let programs = ModelProgram.mailbox

        @Test(
            "as the code has them, each job is received or cancelled once, in order",
            arguments: programs.map(\.name))
        func holds(name: String) throws {
            let explorer = try Explorer(#require(Self.programs.first { $0.name == name }))
            try explorer.run()
            print(name, explorer.executions)
        }

        @Test("threads of the engine run what is sent, and park", arguments: ModelProgram.threads.map(\.name))
        func threads(name: String) throws {
            let explorer = try Explorer(#require(ModelProgram.threads.first { $0.name == name }))
            try explorer.run(executionLimit: 20_000)
            print(name, explorer.executions)
        }

        private static let files = ["Mailbox.swift", "MailboxPage.swift", "MailboxMemory.swift"]

        private static let unexecuted: Set<String> = ["freeLaterChunks", "discard"]

        @Test("each ordering of the mailbox that is stronger than relaxed is needed, as the table says")
        func weakened() throws {
            let search = try SiteSearch(Self.programs + ModelProgram.threads.prefix(2), in: Self.files)
            let document = URL(filePath: #filePath).appending(path: "../../../Docs/Orderings.md").standardized
            let text = try String(contentsOf: document, encoding: .utf8)
            let rows = search.rows(guidedBy: text.components(separatedBy: "\n"))
            for row in rows where row.shown == nil {
                Issue.record("no program fails with \(row.key)")
            }
            for file in Self.files {
                for (line, function) in try EngineSource.orderedLines(ofFile: "Shipped/Mailbox/\(file)")
                where !Self.unexecuted.contains(function) {
                    #expect(
                        search.sites.contains { $0.file == file && (line - 3...line).contains($0.line) },
                        "no program executes \(file):\(line)")
                }
            }
            let table = rows.map(\.row).joined(separator: "\n")
            guard ProcessInfo.processInfo.environment["WRITE_ORDERINGS"] != nil else {
                for row in rows { #expect(text.contains(row.key), "Orderings.md lacks \(row.row)") }
                return
            }
            let marks = ("<!-- generated -->\n", "\n<!-- end -->")
            let begin = try #require(text.range(of: marks.0)), end = try #require(text.range(of: marks.1))
            try (text[..<begin.upperBound] + table + text[end.lowerBound...])
                .write(to: document, atomically: true, encoding: .utf8)
        }
    }
#endif
