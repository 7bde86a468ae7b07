#if os(Linux)
    import CMemoryModel

    // How threads wait: for a time, for other threads, at a futex, and for locks.

    extension Explorer {
        /// Sleeps for a time, in nanoseconds.
        package func pause(_ time: UInt64) { wait(.asleep(0, now + time)) }

        /// Yields to other threads: this one does nothing before one of them has written something.
        package func yield() {
            note("\(threads[current].name) yields")
            wait(.yielding(writeCount))
        }

        // MARK: Futexes

        /// Sleeps until the location is woken, if it may still hold this value.
        ///
        /// The kernel reads the location like a relaxed load that meets at least what its wakers have stored
        /// there.
        package func sleep(
            _ address: UInt, while value: UInt32, until deadline: UInt64, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) {
            let site = callSite(file, function, line, column)
            let call = kernelCall(address)
            begin(call, at: site)
            let index = current
            let location = Int32(location(address, 4, site, isWrite: false))
            note(Step(key: address, reads: true))
            note(call)
            var (mayBe, mayDiffer) = (false, false)
            for stamp in memory_oldest_for_sleeper(location, Int32(index))..<memory_count(location) {
                if memory_value(location, stamp) == UInt64(value) { mayBe = true } else { mayDiffer = true }
            }
            var sleeps = mayBe
            if mayBe, mayDiffer || threads[index].earlyReturns > 0 {
                sleeps = decide(2) == 0
                if !sleeps, !mayDiffer {
                    threads[index].earlyReturns -= 1
                    if deadline != .max { now = max(now, deadline) }
                }
            }
            note("\(threads[index].name) \(sleeps ? "sleeps" : "does not sleep")")
            if sleeps { wait(.asleep(address, deadline)) }
        }

        /// Wakes one thread that sleeps on the location, if there is any.
        package func wake(
            _ address: UInt, file: StaticString = #fileID, function: StaticString = #function,
            line: Int = #line, column: Int = #column
        ) {
            let call = kernelCall(address)
            begin(call, at: callSite(file, function, line, column))
            let index = current
            note(call)
            if let location = locations.number(of: address) { memory_wake(Int32(location), Int32(index)) }
            writeCount += 1
            let sleepers = threads.indices.filter {
                if case .asleep(address, _) = threads[$0].status { true } else { false }
            }
            note("\(threads[index].name) wakes \(sleepers.map { threads[$0].name })")
            if sleepers.isEmpty { return }
            let woken = sleepers[decide(sleepers.count)]
            threads[woken].status = .ready
            order.join(index, into: woken)
        }

        private func callSite(
            _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int
        ) -> Int {
            let site = site(file, function, line, column, .other, .relaxed)
            accessedSites.shareFromBeginning(site)
            return site
        }

        /// Sleeping and waking change the list of threads that sleep on the location.
        private func kernelCall(_ address: UInt) -> Step { Step(key: address + 1, reads: true, writes: true) }

        // MARK: Locks

        package func lock(_ address: UInt) {
            let step = Step(key: address, reads: true, writes: true)
            interrupt(before: step)
            let index = current
            let lock = locks.number(of: address)
            while !locks.isFree(lock) { wait(.locked(lock)) }
            note(step)
            order.join(locks.take(lock), into: index)
            memory_lock(Int32(lock), Int32(index))
            note("\(threads[index].name) locks \(lock)")
        }

        package func unlock(_ address: UInt) {
            let lock = locks.number(of: address)
            memory_unlock(Int32(lock), Int32(current))
            locks.release(lock, order.clock(of: current))
            writeCount += 1
        }

        /// The lock's memory may be another's.
        package func endLock(_ address: UInt) { locks.forget(address) }
    }

    /// The locks of an execution, by numbers.
    final class Locks {
        private var numbers: [UInt: Int] = [:]
        private var locks: [(isHeld: Bool, clock: StepOrder.Clock)] = []

        func clear() {
            numbers.removeAll(keepingCapacity: true)
            locks.removeAll(keepingCapacity: true)
        }

        func number(of address: UInt) -> Int {
            if let number = numbers[address] { return number }
            precondition(locks.count < memory_lock_limit, "a program has too many locks")
            locks.append((false, StepOrder.Clock()))
            numbers[address] = locks.count - 1
            return locks.count - 1
        }

        func forget(_ address: UInt) { numbers[address] = nil }

        func isFree(_ lock: Int) -> Bool { !locks[lock].isHeld }

        /// Takes a lock. Returns the steps that have led to its release.
        func take(_ lock: Int) -> StepOrder.Clock {
            locks[lock].isHeld = true
            return locks[lock].clock
        }

        func release(_ lock: Int, _ clock: StepOrder.Clock) { locks[lock] = (false, clock) }
    }
#endif
