import Foundation
import Synchronization

/// A program that runs, with what it prints, errors included. It is ended when it is released, and killed
/// when its time is up.
///
/// Not Foundation's `Process`: tests run on threads of Dispatch, which block signals; a program inherits that
/// and could not be ended.
final class RunningProgram {
    /// The process's number.
    let id: pid_t
    private let output: Int32
    private let watchdog: Watchdog
    private var unread: [UInt8] = []
    private var status: Int32?

    /// No other program may be started between a pipe's making and its being closed on exec: it would hold
    /// the pipe's end, and keep the output from ending.
    private static let starting = Mutex(())

    /// Starts a program: its path and its arguments.
    init(_ command: [String], _ environment: [String: String], limit: Duration) throws {
        var ends: [Int32] = [-1, -1]
        var id: pid_t = 0
        let error = Self.starting.withLock { _ in
            guard pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return Self.spawn(command, environment, output: ends[1], &id)
        }
        close(ends[1])
        guard error == 0 else {
            close(ends[0])
            throw Program.Failure(description: "cannot start \(command): \(String(cString: strerror(error)))")
        }
        (self.id, output) = (id, ends[0])
        watchdog = Watchdog(id, after: limit)
    }

    deinit {
        if status == nil {
            kill(id, SIGTERM)
            _ = wait()
        }
        close(output)
    }

    private static func spawn(
        _ command: [String], _ environment: [String: String], output: Int32, _ id: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_adddup2(&actions, output, stream)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = command.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for string in arguments + variables { free(string) } }
        return posix_spawn(&id, command[0], &actions, &attributes, arguments + [nil], variables + [nil])
    }

    /// Waits for the next line; nil when the program has ended.
    func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            unread += buffer[..<count]
        }
    }

    /// Waits for a line that begins so, and gives it; throws if the program ends before.
    @discardableResult
    func waitForLine(_ beginning: String) throws -> String {
        while let line = nextLine() {
            if line.hasPrefix(beginning) { return line }
        }
        throw Program.Failure(description: "the program has ended without a line '\(beginning)…'")
    }

    /// Waits until the program has ended, and gives what it printed until then.
    func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    /// Waits until the program has ended; its status, or that of the signal that ended it, below zero.
    func wait() -> Int32 {
        if let status { return status }
        let word = watchdog.wait()
        let signal = word & 0x7F
        let ended = signal == 0 ? word >> 8 & 0xFF : -signal
        status = ended
        return ended
    }
}
