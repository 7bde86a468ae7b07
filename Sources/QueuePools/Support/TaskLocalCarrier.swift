/// A task-local value that a pool can carry into its jobs. `TaskLocal` conforms; a pool retains it for ever,
/// as `@TaskLocal` makes static ones only.
///
///     enum Request { @TaskLocal static var id: Int? }
///
///     let pool = try DefaultQueuePool(label: "requests", carrying: Request.$id)
public protocol CarriedTaskLocal: Sendable {
    /// Returns a function that calls a closure with the value that the calling task, or thread, has now.
    func captured() -> @Sendable (() -> Void) -> Void
}

extension TaskLocal: CarriedTaskLocal {
    /// Returns a function that calls a closure with the present value. O(1).
    public func captured() -> @Sendable (() -> Void) -> Void {
        let value = wrappedValue
        return { [self] body in withValue(value, operation: body) }
    }
}

/// Returns a closure that calls another one with the value that the calling task, or thread, has now.
private typealias Wrap = @Sendable (__owned @escaping @Sendable () -> Void) -> @Sendable () -> Void

extension CarriedTaskLocal {
    fileprivate var wrap: Wrap {
        if let local = self as? any TaskLocalWrapping { return local.wrap }
        return { [self] body in
            let bind = captured()
            return { bind(body) }
        }
    }
}

/// A shorter way, which only `TaskLocal` has.
private protocol TaskLocalWrapping {
    /// One allocation for each job; the closure of ``CarriedTaskLocal/captured()`` would be another one.
    var wrap: Wrap { get }
}

extension TaskLocal: TaskLocalWrapping {
    fileprivate var wrap: Wrap {
        // Retained for ever: a program's task-local values are static. Jobs of all threads would count their
        // references to it in one word.
        let local = Unmanaged.passRetained(self)
        return { body in
            let value = local._withUnsafeGuaranteedRef { $0.wrappedValue }
            return { local._withUnsafeGuaranteedRef { $0.withValue(value, operation: body) } }
        }
    }
}

/// The task-local values that the jobs of a pool carry.
@usableFromInline
final class TaskLocalCarrier: Sendable {
    private let locals: [any CarriedTaskLocal]
    /// Wraps a closure in all of them.
    private let wrapInAll: Wrap

    /// Nil if there are none, so that pools pay nothing.
    init?(_ locals: [any CarriedTaskLocal]) {
        guard let last = locals.last else { return nil }
        self.locals = locals
        // Not `reduce`: its generic parameter would cost each closure thunks with memory of their own.
        var wrap = last.wrap
        for local in locals.dropLast().reversed() {
            let (outer, inner) = (local.wrap, wrap)
            wrap = { body in outer(inner(body)) }
        }
        wrapInAll = wrap
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
    @inlinable @inline(__always)
    static func wrap(
        _ body: __owned @escaping @Sendable () -> Void, by carrier: TaskLocalCarrier?
    ) -> @Sendable () -> Void {
        guard let carrier else { return body }
        return carrier.wrap(body)
    }

    /// A closure that is called with the values of the caller of this function.
    @usableFromInline
    func wrap(_ body: __owned @escaping @Sendable () -> Void) -> @Sendable () -> Void { wrapInAll(body) }
}

/// Task-local values of a submitter, for its job.
struct CapturedTaskLocals: Sendable {
    /// Calls a closure with the values.
    let bind: @Sendable (() -> Void) -> Void

    /// Calls a closure with values, or as it is.
    static func bind(_ values: Self?, around body: () -> Void) {
        if let values { values.bind(body) } else { body() }
    }
}
