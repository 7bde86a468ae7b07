import Foundation

/// When which tile began to be drawn, read from the server's journal: `nanoseconds z/x/y`, a line for each.
struct DrawTimes {
    private(set) var times: [String: UInt64] = [:]

    init(journal: String) throws {
        for line in try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let time = UInt64(words[0]) else { throw Failure("\(journal): \(line)?") }
            times[String(words[1])] = time
        }
    }
}

/// What became of the requests.
struct Results {
    private(set) var answered = 0
    private(set) var errors = 0
    /// When the clients left, by tile.
    private(set) var abandoned: [String: UInt64] = [:]

    mutating func add(_ outcome: HastyClient.Outcome) {
        switch outcome {
        case .answered: answered += 1
        case .failed: errors += 1
        case .abandoned(let tile, let time): abandoned[tile] = time
        }
    }

    mutating func add(_ other: Results) {
        answered += other.answered
        errors += other.errors
        abandoned.merge(other.abandoned) { $1 }
    }

    /// What was drawn of the abandoned tiles.
    struct Draws {
        /// Begun after the client had left.
        var late = 0
        /// Being drawn, or done, when the client left.
        var running = 0
        /// Never begun.
        var spared = 0

        var share: Double { Double(late) / Double(max(late + running + spared, 1)) }
    }

    func compare(with draws: DrawTimes) -> Draws {
        abandoned.reduce(into: Draws()) { counts, request in
            switch draws.times[request.key] {
            case nil: counts.spared += 1
            case let time? where time > request.value: counts.late += 1
            default: counts.running += 1
            }
        }
    }

    func table(_ draws: Draws) -> String {
        func row(_ name: String, _ count: Int, of whole: Int) -> String {
            let share = whole > 0 ? String(format: "%6.2f %%", 100 * Double(count) / Double(whole)) : ""
            return name.padding(toLength: 44, withPad: " ", startingAt: 0)
                + String(format: "%9d  ", count) + share
        }
        let whole = answered + errors + abandoned.count
        return [
            row("requests of the hasty clients", whole, of: 0),
            row("  answered before they hung up", answered, of: whole),
            row("  not sent", errors, of: whole),
            row("  abandoned", abandoned.count, of: whole),
            row("    never drawn", draws.spared, of: abandoned.count),
            row("    being drawn when the client left", draws.running, of: abandoned.count),
            row("    begun after the client had left", draws.late, of: abandoned.count),
        ].joined(separator: "\n")
    }
}
