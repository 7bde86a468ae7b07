#if os(Linux)
    import CMemoryModel

    /// The atomics of an execution, by numbers, and which threads use them.
    final class Locations {
        private struct Use {
            var threads: UInt8 = 0
            var isWritten = false
            var sites: [Int] = []
            var address: UInt = 0
            /// How often each thread has read an old message, since it last read the newest.
            var staleReads = SIMD8<UInt8>()
        }

        private var numbers: [UInt: Int] = [:]
        private var uses: [Use] = Array(repeating: Use(), count: memory_location_limit)

        func clear() {
            numbers.removeAll(keepingCapacity: true)
            forgetUses()
        }

        /// As if no thread had accessed a location.
        func forgetUses() {
            for location in uses.indices {
                (uses[location].threads, uses[location].isWritten) = (0, false)
                uses[location].staleReads = SIMD8()
                uses[location].sites.removeAll(keepingCapacity: true)
            }
        }

        func number(of address: UInt) -> Int? { numbers[address] }
        func address(of location: Int) -> UInt { uses[location].address }

        func add(_ address: UInt) -> Int {
            let location = Int(memory_add_location())
            precondition(location < memory_location_limit, "a view has no place for more locations")
            numbers[address] = location
            uses[location].address = address
            return location
        }

        func forget(_ address: UInt) { numbers[address] = nil }

        /// Notes an access. Returns the sites that access the location, if it is shared.
        func note(_ location: Int, thread: Int, site: Int, isWrite: Bool) -> [Int] {
            uses[location].threads |= 1 << UInt8(thread)
            if isWrite { uses[location].isWritten = true }
            if !uses[location].sites.contains(site) { uses[location].sites.append(site) }
            return uses[location].isWritten && uses[location].threads.nonzeroBitCount > 1
                ? uses[location].sites : []
        }

        // MARK: Fairness

        func noteRead(_ location: Int, thread: Int, isOld: Bool) {
            if isOld { uses[location].staleReads[thread] += 1 } else { uses[location].staleReads[thread] = 0 }
        }

        /// Whether a thread has read old messages so often that it reads the newest next: memory shows what
        /// is new at some time.
        func mustReadNewest(_ location: Int, thread: Int) -> Bool {
            uses[location].staleReads[thread] >= 3
        }
    }
#endif
