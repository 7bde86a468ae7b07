import Foundation
import Synchronization

/// What Chromium answers, by the numbers of the commands. Events, which have none, are dropped.
/// *Thread-safe.*
final class Replies: Sendable {
    private struct State {
        var lastNumber = 0
        var arrived: [Int: Data] = [:]
        var hasEnded = false
    }

    private struct Number: Decodable { let id: Int? }

    private let state = Mutex(State())

    /// Reads messages upon a thread of its own, until there are no more.
    init(_ file: FileHandle) {
        Thread.detachNewThread { [weak self] in
            var bytes = Data()
            while case let part = file.availableData, !part.isEmpty {
                bytes.append(part)
                while let end = bytes.firstIndex(of: 0) {
                    self?.take(Data(bytes[..<end]))
                    bytes = Data(bytes[bytes.index(after: end)...])
                }
            }
            self?.state.withLock { $0.hasEnded = true }
        }
    }

    func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// The reply to a command, once it is there.
    func reply(_ number: Int) async throws -> Data {
        try await eventually { state.withLock { $0.hasEnded || $0.arrived[number] != nil } }
        guard let reply = state.withLock({ $0.arrived.removeValue(forKey: number) }) else {
            throw Browser.Failure(description: "Chromium has ended")
        }
        return reply
    }

    private func take(_ message: Data) {
        guard let number = try? JSONDecoder().decode(Number.self, from: message).id else { return }
        state.withLock { $0.arrived[number] = message }
    }
}
