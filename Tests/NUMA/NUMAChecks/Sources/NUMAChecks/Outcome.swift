import Synchronization

/// What another thread's work came to: set there, and asked for here once it is known to be done.
final class Outcome<Success: Sendable>: Sendable {
    private let result = Mutex<Result<Success, any Error>?>(nil)

    /// Does the work and keeps what it returned or threw.
    func set(_ work: () throws -> Success) {
        let result = Result { try work() }
        self.result.withLock { $0 = result }
    }

    /// Traps when the work is not done.
    func get() throws -> Success { try result.withLock { $0! }.get() }
}
