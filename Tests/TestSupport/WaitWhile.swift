/// Suspends the task while a condition holds. Looks at it every millisecond, so that a hundred tests that
/// wait leave the processors to those that work. What has not come after ten minutes ends the process: a time
/// limit only cancels a test, which then would still wait.
package nonisolated(nonsending) func waitWhile(
    _ condition: @autoclosure () throws -> Bool, file: StaticString = #fileID, line: UInt = #line
) async rethrows {
    let start = ContinuousClock.now
    var looks = 0
    while try condition() {
        looks += 1
        if looks % 1_000 == 0, .now - start > .seconds(600) {
            fatalError("still waiting", file: file, line: line)
        }
        if looks > 20 { try? await Task.sleep(for: .milliseconds(1)) }
        await Task.yield()
    }
}
