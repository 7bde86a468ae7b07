#if os(Linux)
    import CMemoryModel

    // The values with which memory answers the threads' accesses.

    extension Explorer {
        package func load(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, isData: Bool, file: StaticString,
            function: StaticString, line: Int, column: Int
        ) -> UInt64 {
            let site = site(file, function, line, column, .load, ordering)
            let location = access(address, byteCount, at: site, reads: true, writes: false)
            let value = load(location, accessedSites.ordering(site).code)
            if isData { memory_read_data(address, Int32(current)) }
            note("load \(accessedSites.ordering(site))", site, location, value)
            return value
        }

        package func store(
            _ value: UInt64, _ address: UInt, _ byteCount: Int, _ ordering: Ordering, file: StaticString,
            function: StaticString, line: Int, column: Int
        ) {
            let site = site(file, function, line, column, .store, ordering)
            let location = access(address, byteCount, at: site, reads: false, writes: true)
            store(value, location, accessedSites.ordering(site).code)
            didWrite(address, byteCount, location)
            note("store \(accessedSites.ordering(site))", site, location, value)
        }

        package func update(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, failure: Ordering, file: StaticString,
            function: StaticString, line: Int, column: Int, _ change: (UInt64) -> UInt64?
        ) -> UInt64 {
            let site = site(file, function, line, column, .update, ordering, failure)
            let location = access(address, byteCount, at: site, reads: true, writes: true)
            let (value, hasWritten) = update(
                location, accessedSites.ordering(site).code, accessedSites.failure(site).code, change)
            if hasWritten {
                // A thread that finds a lock taken changes nothing that others wait for.
                if change(value) == value { writeCount -= 1 }
                didWrite(address, byteCount, location)
            }
            note(
                "\(hasWritten ? "update" : "fail to update") \(accessedSites.ordering(site))", site, location,
                value)
            return value
        }

        package func fence(
            _ ordering: Ordering, file: StaticString, function: StaticString, line: Int, column: Int
        ) {
            let site = site(file, function, line, column, .fence, ordering)
            memory_fence(accessedSites.ordering(site).code, Int32(current))
            note("\(threads[current].name): \(accessedSites.name(site)) fence")
        }

        func site(
            _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int,
            _ operation: Site.Operation, _ ordering: Ordering, _ failure: Ordering = .relaxed
        ) -> Int {
            accessedSites.number(
                file, function, line, column, operation, ordering, failure, isExplored: !isUnexplored)
        }

        private func note(
            _ access: @autoclosure () -> String, _ site: Int, _ location: Int, _ value: UInt64
        ) {
            note(
                """
                \(threads[current].name): \(accessedSites.name(site)) \(access()) \
                \(ModelMemory.name(locations.address(of: location))) = \(String(value, radix: 16))
                """)
        }

        // MARK: Before an access

        private func access(
            _ address: UInt, _ byteCount: Int, at site: Int, reads: Bool, writes: Bool
        ) -> Int {
            let step = Step(key: address, reads: reads, writes: writes)
            begin(step, at: site)
            let location = location(address, byteCount, site, isWrite: writes)
            note(step)
            if !memory_knows_plain(address & ~7, Int32(current)) {
                fail("\(threads[current].name) reads what another thread initializes")
            }
            return location
        }

        func begin(_ step: Step, at site: Int) {
            accessCount += 1
            threads[current].hasJustWritten = step.writes
            if threads[current].patience > 0 { threads[current].patience -= 1 }
            if accessCount > 20_000 { fail("\(threads[current].name) does not end") }
            if accessedSites.isShared(site) { interrupt(before: step) }
        }

        /// Notes that the present thread makes a step.
        func note(_ step: Step) {
            guard !isUnexplored, !decisions.isEnding else { return }
            for decision in order.note(step, of: current, decision: decisions.step) {
                decisions.want(current, at: decision)
            }
        }

        /// The location at an address, before an access.
        func location(_ address: UInt, _ byteCount: Int, _ site: Int, isWrite: Bool) -> Int {
            let present = cmodel_read(address, byteCount)
            var location = locations.number(of: address) ?? -1
            // If it holds something else, another atomic has its memory now.
            if location < 0 || memory_count(Int32(location)) > 0 && newest(location) != present {
                location = locations.add(address)
                ModelMemory.remember(address, byteCount)
            }
            if memory_count(Int32(location)) == 0 {
                memory_begin(Int32(location), present)
                order.begin(location)
            }
            let sharing = locations.note(location, thread: current, site: site, isWrite: isWrite)
            if !isUnexplored { for site in sharing { accessedSites.share(site) } }
            if memory_count(Int32(location)) > 250 { fail("a loop writes again and again") }
            return location
        }

        private func newest(_ location: Int) -> UInt64 {
            memory_value(Int32(location), memory_count(Int32(location)) - 1)
        }

        // MARK: Answers of memory

        /// One of so many ways.
        func decide(_ count: Int) -> Int { isUnexplored ? 0 : decisions.decide(count) }

        /// One of the places in a location's modification order that are possible. The newest is the first
        /// way, so that a thread that spins soon ends.
        private func choose(from stamps: ClosedRange<Int32>, _ isPossible: (Int32) -> Bool) -> Int32 {
            choices.removeAll(keepingCapacity: true)
            for stamp in stamps.reversed() where isPossible(stamp) { choices.append(stamp) }
            return choices[decide(choices.count)]
        }

        private func mustReadNewest(_ location: Int) -> Bool {
            threads[current].isPatient || locations.mustReadNewest(location, thread: current)
        }

        private func load(_ location: Int, _ ordering: Int32) -> UInt64 {
            let (place, index) = (Int32(location), Int32(current))
            let newest = memory_count(place) - 1
            let oldest = mustReadNewest(location) ? newest : memory_oldest(place, ordering, index)
            var stamp = newest
            if oldest < newest {
                stamp = choose(from: oldest...newest) { memory_may_read(place, $0, ordering, index) }
            }
            locations.noteRead(location, thread: current, isOld: stamp < newest)
            memory_read(place, stamp, ordering, index)
            order.read(location, stamp, by: current)
            return memory_value(place, stamp)
        }

        private func store(_ value: UInt64, _ location: Int, _ ordering: Int32) {
            let (place, index) = (Int32(location), Int32(current))
            let count = memory_count(place)
            let oldest = memory_oldest(place, ordering, index)
            var stamp = count
            if oldest + 1 < count {
                stamp = choose(from: oldest + 1...count) { !memory_is_update(place, $0) }
            }
            memory_store(value, place, stamp, ordering, index)
            order.write(location, stamp, by: current)
        }

        private func update(
            _ location: Int, _ ordering: Int32, _ failure: Int32, _ change: (UInt64) -> UInt64?
        ) -> (UInt64, Bool) {
            let (place, index) = (Int32(location), Int32(current))
            let newest = memory_count(place) - 1
            let stamp = choose(from: (mustReadNewest(location) ? newest : 0)...newest) {
                change(memory_value(place, $0)) == nil
                    ? memory_may_read(place, $0, failure, index)
                    : memory_may_read(place, $0, ordering, index) && !memory_is_update(place, $0 + 1)
            }
            locations.noteRead(location, thread: current, isOld: stamp < newest)
            let before = memory_value(place, stamp)
            guard let value = change(before) else {
                memory_read(place, stamp, failure, index)
                order.read(location, stamp, by: current)
                return (before, false)
            }
            memory_update(value, place, stamp, ordering, index)
            order.read(location, stamp, by: current)
            order.write(location, stamp + 1, by: current)
            return (before, true)
        }

        private func didWrite(_ address: UInt, _ byteCount: Int, _ location: Int) {
            writeCount += 1
            cmodel_write(address, byteCount, newest(location))
            let reader = memory_write_data(address, Int32(current))
            if reader >= 0 {
                fail("\(threads[Int(reader)].name) may read what \(threads[current].name) writes later")
            }
        }

        /// Forgets a location, because its memory may be used again.
        package func end(_ address: UInt) { locations.forget(address) }

        /// How often a location was changed in this execution.
        package func changes(of address: UInt) -> Int {
            locations.number(of: address).map { Int(memory_count(Int32($0))) - 1 } ?? 0
        }

        // MARK: Words that are no atomics

        /// Notes that memory belongs to the present thread, which initializes its first words: another thread
        /// may access them only after that.
        package func begin(_ address: UInt, wordCount: UInt) {
            for word in 0..<wordCount { _ = memory_write_plain(address + 8 * word, Int32(current)) }
        }

        /// An access of a word that is no atomic.
        package func accessPlainly(_ address: UInt, isWrite: Bool) {
            let isOrdered =
                isWrite
                ? memory_write_plain(address, Int32(current)) : memory_read_plain(address, Int32(current))
            if !isOrdered {
                fail("\(threads[current].name) has a data race at \(ModelMemory.name(address))")
            }
        }
    }
#endif
