/// It did not come true within a minute.
struct NotInTime: Error {}

/// Waits until something holds, or a minute has passed.
func eventually(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
