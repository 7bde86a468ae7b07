// How many threads do serial DispatchQueues use, with and without a target queue? Prints the table of
// Docs/Decisions/0001-dispatch-queue-target.md. Each figure comes from a process of its own, whose thread
// pools are new.

import Dispatch
import Foundation

let arguments = CommandLine.arguments
if arguments.count == 4, let target = Target(rawValue: arguments[1]),
    let load = Load(rawValue: arguments[2]), let count = Int(arguments[3]), count > 0
{
    print(load.measure(target.queues(count: count)))
} else if arguments.count == 1 {
    printTable()
} else {
    print(
        "Usage: QueueTargets\nPrints how many threads serial queues use, by target, load and number of queues."
    )
    exit(arguments.dropFirst() == ["--help"] ? 0 : 64)
}

/// Runs this program once for each figure.
func printTable() {
    print("| load | queues | no target | target: .global |")
    print("|---|---|---|---|")
    for load in Load.allCases {
        for count in load.counts {
            let figures = Target.allCases.map { figure($0, load, count) }
            print("| \(load.title) | \(count) | \(figures.joined(separator: " | ")) |")
        }
    }
}

func figure(_ target: Target, _ load: Load, _ count: Int) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [target.rawValue, load.rawValue, String(count)]
    let output = Pipe()
    process.standardOutput = output
    do {
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
        return "failed: \(error)"
    }
}
