#if os(Linux)
    import CMemoryModel

    /// The memory that programs allocate in an execution, at the same addresses in each.
    package enum ModelMemory {
        static let byteCount = 16 << 20
        static let stackByteCount = 256 << 10
        private nonisolated(unsafe) static let base = cmodel_memory(byteCount, 1 << 20).unsafelyUnwrapped
        private nonisolated(unsafe) static var used = 0
        private nonisolated(unsafe) static var stacks: [UnsafeMutableRawPointer] = []
        /// The values of static atomics before an execution, by address. One thread of the process explores
        /// at a time, and one thread of an execution runs.
        private nonisolated(unsafe) static var statics: [UInt: (byteCount: Int, value: UInt64)] = [:]

        static func reset() {
            base.initializeMemory(as: UInt8.self, repeating: 0, count: used)
            used = 0
        }

        static func stack(_ index: Int) -> UnsafeMutableRawPointer {
            while stacks.count <= index { stacks.append(cmodel_stack(stackByteCount)) }
            return stacks[index]
        }

        /// Memory full of zeros.
        package static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
            used = (used + alignment - 1) & ~(alignment - 1)
            defer { used += (byteCount + 63) & ~63 }
            precondition(used + byteCount <= Self.byteCount)
            return base + used
        }

        static func name(_ address: UInt) -> String {
            let begin = UInt(bitPattern: base)
            return address >= begin && address < begin + UInt(byteCount)
                ? "[" + String(address - begin, radix: 16) + "]" : String(address, radix: 16)
        }

        // MARK: Statics

        /// Notes the value of an atomic before the execution, if the atomic is static.
        static func remember(_ address: UInt, _ byteCount: Int) {
            guard Explorer.active != nil, cmodel_is_static(address), statics[address] == nil else { return }
            statics[address] = (byteCount, cmodel_read(address, byteCount))
        }

        /// Restores the values that static atomics had before the execution.
        static func restoreStatics() {
            for (address, beginning) in statics {
                cmodel_write(address, beginning.byteCount, beginning.value)
            }
            statics.removeAll(keepingCapacity: true)
        }
    }

    /// An access of an atomic: the explorer's, if one executes a program; else without more.
    package enum Access {
        package static func load(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, file: StaticString,
            function: StaticString,
            line: Int, column: Int
        ) -> UInt64 {
            guard let explorer = Explorer.running else { return cmodel_read(address, byteCount) }
            return explorer.load(
                address, byteCount, ordering, isData: isData(function), file: file, function: function,
                line: line, column: column)
        }

        package static func store(
            _ value: UInt64, _ address: UInt, _ byteCount: Int, _ ordering: Ordering, file: StaticString,
            function: StaticString, line: Int, column: Int
        ) {
            guard let explorer = Explorer.running else {
                ModelMemory.remember(address, byteCount)
                return cmodel_write(address, byteCount, value)
            }
            explorer.store(
                value, address, byteCount, ordering, file: file, function: function, line: line,
                column: column)
        }

        package static func update(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, failure: Ordering = .relaxed,
            file: StaticString, function: StaticString, line: Int, column: Int, _ change: (UInt64) -> UInt64?
        ) -> UInt64 {
            guard let explorer = Explorer.running else {
                ModelMemory.remember(address, byteCount)
                let before = cmodel_read(address, byteCount)
                if let after = change(before) { cmodel_write(address, byteCount, after) }
                return before
            }
            return explorer.update(
                address, byteCount, ordering, failure: failure, file: file, function: function, line: line,
                column: column, change)
        }

        /// The engine reads data by a property of this name: words that must be those of the job that was
        /// published, and must not be written again before they have been read.
        private static func isData(_ function: StaticString) -> Bool {
            function.utf8CodeUnitCount == 5 && function.utf8Start[0] == UInt8(ascii: "w")
                && function.utf8Start[4] == UInt8(ascii: "s")
        }
    }
#endif
