/// What a command line turns out to be.
enum CommandLineRequest: Equatable {
    case help
    case run(Options)
}

/// Reads the command line: `--name value` or `--name=value`; of an option that is given twice the last counts.
struct OptionParser {
    private var arguments: ArraySlice<String>
    private var options = Options()

    /// - Parameter arguments: without the program's own name.
    /// - Throws: ``ProgramError`` with the code `.usage` for the first argument that makes no sense.
    static func parse(_ arguments: [String]) throws(ProgramError) -> CommandLineRequest {
        if arguments.contains("--help") || arguments.contains("-h") { return .help }
        var parser = OptionParser(arguments: arguments[...])
        while let argument = parser.arguments.popFirst() { try parser.apply(argument) }
        try parser.check()
        return .run(parser.options)
    }

    private init(arguments: ArraySlice<String>) { self.arguments = arguments }

    private mutating func apply(_ argument: String) throws(ProgramError) {
        guard argument.hasPrefix("--") else { throw usage("unexpected argument '\(argument)'") }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if name == "--measure" {
            guard parts.count == 1 else { throw usage("--measure takes no value") }
            options.measures = true
            return
        }
        guard let set = Self.setters[name] else { throw usage("unknown option '\(name)'") }
        guard let value = parts.count == 2 ? String(parts[1]) : arguments.popFirst(), !value.isEmpty else {
            throw usage("\(name) needs a value")
        }
        if let refusal = set(&options, value) {
            throw usage("\(name) must be \(refusal.expected), not '\(refusal.found ?? value)'")
        }
    }

    /// What a value should have been.
    private struct Refusal {
        let expected: String
        /// The part of the value that is wrong; nil for all of it.
        var found: String?
    }

    /// Each takes over a value, or says what it should have been.
    private static let setters: [String: @Sendable (inout Options, String) -> Refusal?] = [
        "--images": {
            $0.images = $1; return nil
        },
        "--json": {
            $0.json = $1; return nil
        },
        "--screenshot": {
            $0.screenshot = $1; return nil
        },
        "--cells": { set(&$0.cells, Int($1), 1...100_000, "a whole number from 1 to 100000") },
        "--frames": { set(&$0.frames, Int($1), 120...1_000_000, "a whole number from 120 to 1000000") },
        "--scale": { options, text in
            set(&options.scale, Double(text), 0.5...4, "a number from 0.5 to 4")
        },
        "--bar": { options, text in
            set(&options.bar, Double(text), 0...1_000, "a number from 0 to 1000")
        },
        "--seed": { set(&$0.seed, UInt64($1), 0...UInt64.max, "a whole number from 0 on") },
        "--mode": { options, text in
            guard let mode = FeedMode(rawValue: text) else {
                return Refusal(expected: FeedMode.allCases.map(\.rawValue).joined(separator: " or "))
            }
            options.mode = mode
            return nil
        },
        "--script": { options, text in
            var actions: [ScriptAction] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                guard let action = ScriptAction(word) else {
                    return Refusal(expected: ScriptAction.expectation(for: word), found: word)
                }
                actions.append(action)
            }
            options.script = actions
            return nil
        },
    ]

    private static func set<Value: Comparable>(
        _ target: inout Value, _ value: Value?, _ range: ClosedRange<Value>, _ description: String
    ) -> Refusal? {
        // A NaN is in no range.
        guard let value, range.contains(value) else { return Refusal(expected: description) }
        target = value
        return nil
    }

    private static func set<Value: Comparable>(
        _ target: inout Value?, _ value: Value?, _ range: ClosedRange<Value>, _ description: String
    ) -> Refusal? {
        guard let value, range.contains(value) else { return Refusal(expected: description) }
        target = value
        return nil
    }

    private func check() throws(ProgramError) {
        if options.measures, options.screenshot != nil || !options.script.isEmpty {
            throw usage("--measure has no window for --screenshot and --script")
        }
        if !options.measures, options.bar != nil { throw usage("--bar needs --measure") }
        if !options.measures, options.frames != nil { throw usage("--frames needs --measure") }
    }

    private func usage(_ reason: String) -> ProgramError { ProgramError(.usage, reason) }
}
