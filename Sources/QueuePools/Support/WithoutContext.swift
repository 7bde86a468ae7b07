/// Calls a closure on the calling thread without the caller's context: it sees neither the task, if there is
/// one, with its actor, its priority and whether it is cancelled, nor task-local values, not even those that
/// synchronous code has bound outside of tasks.
///
/// It runs in a task of its own, whose only step runs in the call of its executor, before the task is
/// returned from being made. About 0.5 µs.
package func withoutContext(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
        withUnsafePointer(to: Body(call: body)) { body in
            // Unsafe: the task runs on this thread, within the call that makes it.
            nonisolated(unsafe) let body = body
            let step: @Sendable () async -> Void = {
                withUnsafeCurrentTask { task in
                    let outer = ThreadValues.standIn
                    ThreadValues.standIn = task?.hashValue ?? 0
                    defer { ThreadValues.standIn = outer }
                    body.pointee.call()
                }
            }
            _ = Task.detached(executorPreference: CallersThread.executor, operation: step)
        }
    }
}

/// Calls a closure with the program's task that the caller is in; nil outside of tasks, and in a closure of
/// ``withoutContext(_:)``. A task that is made in such a closure is another one, on whatever thread.
func withCallersTask<Result>(_ body: (UnsafeCurrentTask?) throws -> Result) rethrows -> Result {
    let standIn = ThreadValues.standIn
    return try withUnsafeCurrentTask { task in
        // The task is passed on as it came: each copy of one is a call that asks for its size.
        if standIn != 0, task?.hashValue == standIn { return try body(nil) }
        return try body(task)
    }
}

private struct Body { let call: () -> Void }

/// Runs steps of tasks on the thread that sends them, within the call.
private final class CallersThread: TaskExecutor {
    static let executor = CallersThread()

    func enqueue(_ step: consuming ExecutorJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }
}
