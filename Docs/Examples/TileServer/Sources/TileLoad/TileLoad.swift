import ArgumentParser
import Foundation
import Synchronization

/// Clients that ask for tiles and hang up before the answer, each for another tile than all others.
@main
struct TileLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks a tile server for tiles and hangs up before they come.",
        discussion: """
            Prints a table, and what the server's journal says of the abandoned tiles: a draw that began after \
            its client had closed the socket was wasted.
            """)

    @Option(help: "The server's port on this machine.")
    var port: UInt16

    @Option(help: "How many clients ask at a time.")
    var clients = 8

    @Option(help: "For how long, in seconds.")
    var seconds = 10.0

    @Option(help: "The longest that a client waits before it hangs up, in milliseconds.")
    var longestWait: Int32 = 20

    @Option(help: "The server's journal of draws.")
    var journal: String

    @Option(help: "The most draws that may begin after their client left, in percent of those who left.")
    var limit = 5.0

    func validate() throws {
        guard (1...1_000).contains(clients) else { throw ValidationError("--clients is from 1 to 1000.") }
        guard (0.1...86_400).contains(seconds) else {
            throw ValidationError("--seconds is from 0.1 to 86400.")
        }
        guard (0...10_000).contains(longestWait) else {
            throw ValidationError("--longest-wait is from 0 to 10000.")
        }
        guard (0...100).contains(limit) else { throw ValidationError("--limit is from 0 to 100.") }
        guard port > 0 else { throw ValidationError("--port is from 1 to 65535.") }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let end = Clock.now + UInt64(seconds * 1e9)
        let results = Mutex(Results())
        let tiles = TileSequence()
        // A thread for each client: what they do is wait.
        let threads = DispatchGroup()
        for client in 0..<clients {
            threads.enter()
            Thread.detachNewThread {
                var generator = Generator(seed: UInt64(client + 1))
                var own = Results()
                while Clock.now < end {
                    let wait = Int32.random(in: 0...longestWait, using: &generator)
                    own.add(HastyClient.ask(port: port, tile: tiles.next(), milliseconds: wait))
                    // A client that cannot ask once makes the run fail, and would only try again as fast as
                    // it can.
                    if own.errors > 0 { break }
                }
                results.withLock { $0.add(own) }
                threads.leave()
            }
        }
        threads.wait()
        let found = results.withLock { $0 }
        let times = try DrawTimes(journal: journal)
        let draws = found.compare(with: times)
        print(found.table(draws))
        guard found.errors == 0 else { throw Failure("\(found.errors) requests could not be sent") }
        guard !found.abandoned.isEmpty else { throw Failure("no client hung up before the answer") }
        // Of this or another client: a server that draws something notes it, or this is not its journal.
        guard !times.times.isEmpty else { throw Failure("\(journal): no draw was noted") }
        guard draws.share * 100 <= limit else {
            throw Failure(
                "more than \(limit) % of the abandoned tiles began to be drawn after their client left")
        }
    }
}

/// Ends the program with status 1 and a line.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

enum Clock {
    /// The monotonic clock in nanoseconds, which is the same for all programs of a machine.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
