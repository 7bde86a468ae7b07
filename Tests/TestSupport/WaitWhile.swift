/// Suspends the task while a condition holds. Looks at it every millisecond, so that a hundred tests that
/// wait leave the processors to those that work.
package nonisolated(nonsending) func waitWhile(_ condition: @autoclosure () throws -> Bool) async rethrows {
    var looks = 0
    while try condition() {
        looks += 1
        if looks > 20 { try? await Task.sleep(for: .milliseconds(1)) }
        await Task.yield()
    }
}
