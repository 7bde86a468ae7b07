#if os(Linux)
    import MemoryModel
    public import Synchronization

    /// The engine's files use this in place of `Synchronization.Atomic`: each access calls the explorer, if
    /// one executes a program, with the place in the source where it stands.
    @usableFromInline struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {  // by turns
        private let storage: Synchronization.Atomic<Value>

        @usableFromInline init(_ value: consuming Value) { storage = Synchronization.Atomic(value) }

        deinit { Explorer.running?.end(address) }

        @inline(__always)
        private var address: UInt { withUnsafePointer(to: storage) { UInt(bitPattern: $0) } }

        /// How often it was changed in this execution.
        var changes: Int { Explorer.active?.changes(of: address) ?? 0 }

        @inline(__always)
        private static var byteCount: Int { MemoryLayout<Value.AtomicRepresentation>.size }
    }

    @usableFromInline enum LoadOrdering {
        case relaxed, acquiring, sequentiallyConsistent

        var ordering: Ordering {
            switch self {
            case .relaxed: .relaxed
            case .acquiring: .acquiring
            case .sequentiallyConsistent: .sequentiallyConsistent
            }
        }
    }

    @usableFromInline enum StoreOrdering {
        case relaxed, releasing, sequentiallyConsistent

        var ordering: Ordering {
            switch self {
            case .relaxed: .relaxed
            case .releasing: .releasing
            case .sequentiallyConsistent: .sequentiallyConsistent
            }
        }
    }

    @usableFromInline enum UpdateOrdering {
        case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

        var ordering: Ordering {
            switch self {
            case .relaxed: .relaxed
            case .acquiring: .acquiring
            case .releasing: .releasing
            case .acquiringAndReleasing: .acquiringAndReleasing
            case .sequentiallyConsistent: .sequentiallyConsistent
            }
        }
    }

    /// A value's bits, which are those of its atomic representation.
    private func bits<Value: AtomicRepresentable>(_ value: consuming Value) -> UInt64 {
        var representation = Value.encodeAtomicRepresentation(value)
        return withUnsafeMutableBytes(of: &representation) { bytes in
            var bits: UInt64 = 0
            withUnsafeMutableBytes(of: &bits) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
            return bits
        }
    }

    private func value<Value: AtomicRepresentable>(_ bits: UInt64, _: Value.Type) -> Value {
        withUnsafeBytes(of: bits) { bytes in
            Value.decodeAtomicRepresentation(
                bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Value.AtomicRepresentation.self)
                    .pointee)
        }
    }

    extension Atomic {
        @usableFromInline func load(
            ordering: LoadOrdering, file: StaticString = #fileID, function: StaticString = #function,
            line: Int = #line, column: Int = #column
        ) -> Value {
            value(
                Access.load(
                    address, Self.byteCount, ordering.ordering, file: file, function: function, line: line,
                    column: column), Value.self)
        }

        @usableFromInline func store(
            _ desired: consuming Value, ordering: StoreOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) {
            Access.store(
                bits(desired), address, Self.byteCount, ordering.ordering, file: file, function: function,
                line: line, column: column)
        }

        @discardableResult
        @usableFromInline func exchange(
            _ desired: consuming Value, ordering: UpdateOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) -> Value {
            let new = bits(desired)
            return value(
                Access.update(
                    address, Self.byteCount, ordering.ordering, file: file, function: function, line: line,
                    column: column
                ) { _ in new }, Value.self)
        }

        @discardableResult
        @usableFromInline func compareExchange(
            expected: consuming Value, desired: consuming Value, ordering: UpdateOrdering,
            file: StaticString = #fileID, function: StaticString = #function, line: Int = #line,
            column: Int = #column
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(
                bits(expected), bits(desired), ordering.ordering, ordering.ordering.ofFailure, file, function,
                line, column)
        }

        @discardableResult
        @usableFromInline func compareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: UpdateOrdering,
            failureOrdering: LoadOrdering, file: StaticString = #fileID, function: StaticString = #function,
            line: Int = #line, column: Int = #column
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(
                bits(expected), bits(desired), successOrdering.ordering, failureOrdering.ordering, file,
                function, line,
                column)
        }

        @discardableResult
        @usableFromInline func weakCompareExchange(
            expected: consuming Value, desired: consuming Value, ordering: UpdateOrdering,
            file: StaticString = #fileID, function: StaticString = #function, line: Int = #line,
            column: Int = #column
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(
                bits(expected), bits(desired), ordering.ordering, ordering.ordering.ofFailure, file, function,
                line, column)
        }

        @discardableResult
        @usableFromInline func weakCompareExchange(
            expected: consuming Value, desired: consuming Value, successOrdering: UpdateOrdering,
            failureOrdering: LoadOrdering, file: StaticString = #fileID, function: StaticString = #function,
            line: Int = #line, column: Int = #column
        ) -> (exchanged: Bool, original: Value) {
            compareExchange(
                bits(expected), bits(desired), successOrdering.ordering, failureOrdering.ordering, file,
                function, line,
                column)
        }

        private func compareExchange(
            _ expected: UInt64, _ desired: UInt64, _ ordering: Ordering, _ failure: Ordering,
            _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int
        ) -> (exchanged: Bool, original: Value) {
            let original = Access.update(
                address, Self.byteCount, ordering, failure: failure, file: file, function: function,
                line: line,
                column: column
            ) { $0 == expected ? desired : nil }
            return (original == expected, value(original, Value.self))
        }
    }

    extension Atomic where Value: FixedWidthInteger & SendableMetatype {
        @discardableResult
        @usableFromInline func wrappingAdd(
            _ operand: Value, ordering: UpdateOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) -> (oldValue: Value, newValue: Value) {
            change(ordering.ordering, file, function, line, column) { $0 &+ operand }
        }

        @discardableResult
        @usableFromInline func wrappingSubtract(
            _ operand: Value, ordering: UpdateOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) -> (oldValue: Value, newValue: Value) {
            change(ordering.ordering, file, function, line, column) { $0 &- operand }
        }

        @discardableResult
        @usableFromInline func bitwiseAnd(
            _ operand: Value, ordering: UpdateOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) -> (oldValue: Value, newValue: Value) {
            change(ordering.ordering, file, function, line, column) { $0 & operand }
        }

        @discardableResult
        @usableFromInline func bitwiseOr(
            _ operand: Value, ordering: UpdateOrdering, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) -> (oldValue: Value, newValue: Value) {
            change(ordering.ordering, file, function, line, column) { $0 | operand }
        }

        private func change(
            _ ordering: Ordering, _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int,
            _ changed: (Value) -> Value
        ) -> (oldValue: Value, newValue: Value) {
            let old = value(
                Access.update(
                    address, Self.byteCount, ordering, file: file, function: function, line: line,
                    column: column
                ) { bits(changed(value($0, Value.self))) }, Value.self)
            return (old, changed(old))
        }
    }
#endif
