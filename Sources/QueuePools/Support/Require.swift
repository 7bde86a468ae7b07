/// Ends the program with a message unless a condition holds. `precondition` prints none in optimized builds.
@inline(__always)
func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !condition { fatalError(message(), file: file, line: line) }
}
