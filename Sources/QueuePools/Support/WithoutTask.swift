/// Calls a closure outside of the calling task, if there is one, on the calling thread.
///
/// The closure then sees as little of the task as a job does: neither its task-local values, its actor, its
/// priority, nor whether it is cancelled. It runs in a task of its own, whose only step runs in the call of
/// its executor, before the task is returned from being made. About 0.5 µs; outside of a task some
/// nanoseconds.
package func withoutTask(_ body: () -> Void) {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return body() }
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

/// Calls a closure that runs other jobs within the job that the calling thread runs, for instance while that
/// waits. They see neither the task that this one belongs to, nor whether it is cancelled, and leave its mark
/// in a capacity alone.
func runWithinJob(_ body: () -> Void) {
    JobCapacity.keepingMark { withoutTask { CancellationSource.with(nil, body) } }
}

/// Calls a closure with the program's task that the caller is in; nil outside of tasks, and in a closure of
/// ``withoutTask(_:)``. A task that is made in such a closure is another one, on whatever thread.
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
