/// A task-local value that a pool can carry into its jobs. `TaskLocal` conforms.
///
///     enum Request { @TaskLocal static var id: Int? }
///
///     let pool = try DefaultQueuePool(label: "requests", carrying: Request.$id)
public protocol CarriedTaskLocal: Sendable {
    /// Returns a function that calls a closure with the value that the calling task, or thread, has now.
    func captured() -> @Sendable (() -> Void) -> Void

    /// Returns a closure that calls another one with the value that the calling task, or thread, has now.
    /// What ``captured()`` returns would be one allocation more for each job.
    func carried(into body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension CarriedTaskLocal {
    /// Returns a closure that calls another one with the present value, by what ``captured()`` returns.
    public func carried(into body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let bind = captured()
        return { bind(body) }
    }
}

extension TaskLocal: CarriedTaskLocal {
    /// Returns a function that calls a closure with the present value. O(1).
    public func captured() -> @Sendable (() -> Void) -> Void {
        let value = wrappedValue
        return { [self] body in withValue(value, operation: body) }
    }

    /// Returns a closure that calls another one with the present value. O(1).
    public func carried(into body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let value = wrappedValue
        return { [self] in withValue(value, operation: body) }
    }
}

/// The task-local values that the jobs of a pool carry.
@usableFromInline
final class TaskLocalCarrier: Sendable {
    private let locals: [any CarriedTaskLocal]

    /// Nil if there are none, so that pools pay nothing.
    init?(_ locals: [any CarriedTaskLocal]) {
        guard !locals.isEmpty else { return nil }
        self.locals = locals
    }

    /// The values of the caller.
    func capture() -> CapturedTaskLocals {
        var bind = locals[0].captured()
        for local in locals.dropFirst() {
            let (outer, inner) = (bind, local.captured())
            bind = { body in outer { inner(body) } }
        }
        return CapturedTaskLocals(bind: bind)
    }

    /// The closure as ``wrap(_:)`` returns it; the same without a carrier. Not `??`: its generic parameter
    /// would cost each closure two thunks with memory of their own.
    @inline(__always)
    static func wrap(
        _ body: __owned @escaping @Sendable () -> Void, by carrier: TaskLocalCarrier?
    ) -> @Sendable () -> Void {
        guard let carrier else { return body }
        return carrier.wrap(body)
    }

    /// A closure that is called with the values of the caller of this function.
    @usableFromInline
    func wrap(_ body: __owned @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        var body = body
        for local in locals.reversed() { body = local.carried(into: body) }
        return body
    }
}

/// Task-local values of a submitter, for its job.
struct CapturedTaskLocals: Sendable {
    /// Calls a closure with the values.
    let bind: @Sendable (() -> Void) -> Void
}
