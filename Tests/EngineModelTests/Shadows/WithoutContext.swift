/// The engine's files use these in place of their own: the model's threads are stacks of one thread, which
/// has one current task, and its programs have none.
package func withoutContext(_ body: () -> Void) { body() }

func withCallersTask<Result>(_ body: (UnsafeCurrentTask?) throws -> Result) rethrows -> Result {
    try body(nil)
}
