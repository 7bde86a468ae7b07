#if os(Linux)
    import Foundation
    import MemoryModel

    /// An access of the engine that is stronger than relaxed, weakened by one step: a row of the table in
    /// `Docs/Orderings.md`.
    struct WeakenedSite {
        let site: Site
        let weakening: Weakening
        /// Which of the function's weakenings it is, from 1 on.
        var number = 1
        /// The program that fails, and how; nil if none does.
        var shown: (program: String, reason: String)?

        /// Its name in the table: not its line, so that other changes leave the table as it is.
        var key: String {
            let declared = weakening.isFailure ? "failed: \(site.failure)" : "\(site.ordering)"
            let ordinal = number == 1 ? "" : " (\(number))"
            return "| `\(site.file)` | `\(site.function)`\(ordinal) | \(declared) | \(weakening.ordering) |"
        }

        var row: String { "\(key) \(shown.map { "\($0.program): \($0.reason)" } ?? "none") |" }
    }

    /// Explores programs with the orderings in the code, and then with each of them weakened.
    struct SiteSearch {
        private let explored: [Explorer]
        let sites: [Site]

        /// Programs that have more executions than this are tried so often in turn, and then at random.
        static let limit = 4_000
        /// How many executions are drawn at random.
        static let drawnCount = 20_000

        init(_ explorers: [Explorer], in files: Set<String>) {
            explored = explorers.sorted { $0.executions < $1.executions }
            sites = explored.reduce(into: Set<Site>()) { $0.formUnion($1.sites) }
                .filter { files.contains($0.file) && !EngineSource.isForStatistics($0.file, $0.function) }
                .sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
        }

        /// - Parameter table: the lines of a table that was made before, which says where to look first.
        func rows(guidedBy table: [String] = []) -> [WeakenedSite] {
            var rows: [WeakenedSite] = []
            for site in sites {
                for weakening in site.weakenings {
                    var row = WeakenedSite(site: site, weakening: weakening)
                    while rows.contains(where: { $0.key == row.key }) { row.number += 1 }
                    let known = table.first { $0.hasPrefix(row.key) }
                    show(&row, first: known)
                    rows.append(row)
                }
            }
            return rows
        }

        private func show(_ row: inout WeakenedSite, first known: String?) {
            let candidates = explored.filter { $0.sites.contains(row.site) }
            let guided = candidates.filter { known?.contains("| \($0.program.name): ") ?? false }
            for (programs, isRandom) in [
                (guided, false), (guided, true), (candidates, false), (candidates, true),
            ] {
                for explored in programs where !isRandom || explored.executions >= Self.limit {
                    let explorer = Explorer(
                        explored.program, weakening: row.weakening, sharedSites: explored.sharedSites)
                    do {
                        try explorer.run(drawing: isRandom ? Self.drawnCount : nil)
                    } catch {
                        row.shown = (explored.program.name, (error as? Violation)?.reason ?? "\(error)")
                        return
                    }
                }
            }
        }
    }

    extension Site {
        /// Each way to weaken it by one step.
        var weakenings: [Weakening] {
            let success = ordering.weaker(for: operation).map {
                Weakening(file: file, line: line, column: column, isFailure: false, ordering: $0)
            }
            return success
                + failure.weaker(for: .load).map {
                    Weakening(file: file, line: line, column: column, isFailure: true, ordering: $0)
                }
        }
    }

    /// The engine's source files.
    enum EngineSource {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

        /// Those whose orderings the table has: the engine, its mailboxes, and the capacities.
        static func files() throws -> [String] {
            let folders = ["Shipped/Engine", "Shipped/Mailbox"]
            return try folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: folder).path)
                    .filter { $0.hasSuffix(".swift") && $0 != "MailboxSizes.swift" }
                    .map { "\(folder)/\($0)" }
            }.sorted() + ["Shipped/Awaiting/JobCapacity.swift", "Shipped/PoolStatistics.swift"]
        }

        /// Whether an access only makes statistics agree with each other, which `JobCounters` argues.
        static func isForStatistics(_ file: String, _ function: String) -> Bool {
            file == "PoolStatistics.swift" && function.hasPrefix("add")
        }

        static func lines(_ path: String) throws -> [String] {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8).components(
                separatedBy: "\n")
        }

        /// Where a file names an ordering that is stronger than relaxed: the line on which the call begins,
        /// by which its access is known, and the function.
        static func orderedCalls(inFile path: String) throws -> [(line: Int, function: String)] {
            var (function, calls) = ("", [Int]())
            var found: [(line: Int, function: String)] = []
            for (index, line) in try lines(path).enumerated() {
                let code = line.split(separator: "//", omittingEmptySubsequences: false)[0]
                if let name = code.firstMatch(of: /func (\w+)|var (\w+).*\{$/) {
                    function = String(name.1 ?? name.2 ?? "")
                }
                for part in code.matches(of: /\(|\)|rdering: \.(acquiring|releasing|sequentiallyConsistent)/)
                {
                    switch part.0 {
                    case "(": calls.append(index + 1)
                    case ")": _ = calls.popLast()
                    default: found.append((calls.last ?? 0, function))
                    }
                }
            }
            return found
        }
    }
#endif
