#if os(Linux)
    import CMemoryModel

    /// What should never happen, and how it came to it.
    package struct Violation: Error, CustomStringConvertible {
        package let reason: String
        package var trace: [String] = []

        init(_ reason: String) { self.reason = reason }

        package var description: String { (["\(reason), after"] + trace).joined(separator: "\n    ") }
    }

    /// A small program whose executions are all tried.
    package struct ModelProgram: Sendable {
        package let name: String
        /// How often an execution changes from a thread that could continue; nil: any number of times.
        package let preemptions: Int?
        /// How often each thread's waiting may end without a reason, or because its time is over although
        /// other threads could continue.
        package let earlyReturns: Int
        /// How many executions are tried; nil: all.
        package var executionLimit: Int?
        /// Prepares an execution, without weak memory, and adds its threads to it.
        package let prepare: @Sendable (Execution) -> Void

        package init(
            _ name: String, preemptions: Int? = nil, earlyReturns: Int = 0, executionLimit: Int? = nil,
            _ prepare: @escaping @Sendable (Execution) -> Void
        ) {
            self.name = name
            self.preemptions = preemptions
            self.earlyReturns = earlyReturns
            self.executionLimit = executionLimit
            self.prepare = prepare
        }
    }

    /// What a program's preparation adds its threads to.
    package struct Execution: @unchecked Sendable {  // one thread runs at a time
        package let explorer: Explorer

        package func thread(_ name: String, maySleepForever: Bool = false, _ body: @escaping () -> Void) {
            explorer.addThread(name, maySleepForever: maySleepForever, madeBy: nil, body)
        }

        /// Runs the threads that were added until each sleeps or has ended, in one way only. What they have
        /// done is known to all threads; the preparation changes no atomic after that.
        package func settle() { explorer.settle() }

        /// Called when all threads have ended or sleep. A closure that returns a text has found a violation.
        package func check(_ body: @escaping () -> String?) { explorer.check = body }

        /// Called after the check, by a thread of its own, in one way only: ends threads that sleep, so that
        /// what they retain is released.
        package func ending(_ body: @escaping () -> Void) { explorer.ending = body }
    }

    /// Executes a program again and again, on the calling thread, until all ways are tried in which its
    /// threads take turns, and in which memory answers.
    ///
    /// A thread can be interrupted before each access that another thread may notice: one at a *shared* site.
    /// A site is shared when a location that it accesses was accessed by two threads, at least once to write.
    /// The exploration begins with none, and begins again when it finds one. In the end all others access
    /// what only one thread does, in every execution: so it makes no difference when.
    ///
    /// It keeps no states. A read after another thread's write may return what was there before, so of two
    /// accesses only the order of a read and a later write is tried both ways.
    package final class Explorer {
        /// The exploration that goes on now. One thread of the process explores at a time.
        package private(set) nonisolated(unsafe) static var active: Explorer?

        enum Status: Equatable {
            case starting, ready, asleep(UInt, UInt64), locked(Int), yielding(Int), ended
        }

        struct Thread {
            let name: String
            let maySleepForever: Bool
            var body: (() -> Void)?
            var stack: UnsafeMutableRawPointer?
            var status = Status.starting
            var earlyReturns: Int
            /// Whether it reads what is newest: when it has looked again and again, and nothing changes any
            /// more.
            var patience = 0
            var isPatient: Bool { patience > 0 }
            /// Whether its last access was one that may write.
            var hasJustWritten = false
            /// Where the thread that has made it continues.
            var maker: Int?
            fileprivate var pending = Pending()
        }

        struct SiteKey: Hashable {
            let file: UnsafeRawPointer
            let line: Int
            let column: Int
        }

        package let program: ModelProgram
        let weakening: Weakening?
        /// What was executed, with the orderings in the code.
        package private(set) var sites: Set<Site> = []
        package private(set) var executions = 0

        var check: () -> String? = { nil }
        var ending: (() -> Void)?
        private(set) var threads: [Thread] = []
        private(set) var current = -1
        private(set) var isExploring = false
        /// The model's clock, in nanoseconds.
        package private(set) var now: UInt64 = 0

        // The way to the present state.
        private var decisions: [Decision] = []
        private var position = 0
        /// Whether this execution continues only to end: what it would do was done already, in another order.
        private var isEnding = false
        /// Whether threads run in one way only: before the exploration or after it.
        private var isUnexplored = false
        private var isSettled = false
        private var isChecked = false
        /// Whether threads were interrupted when they were to end.
        private var isLeftOver = false
        private var violation: Violation?
        private var preemptionsLeft = Int.max
        /// The threads whose next accesses were tried before those that were made since, to the same effect.
        private var resting: UInt8 = 0
        /// The decision by which the present access is made, or -1.
        private var step = -1
        private var clocks: [SIMD8<Int32>] = []
        private var lastReads: [UInt: [Read]] = [:]
        private var writeClocks: [[SIMD8<Int32>]] = []

        /// A read, which a later write may reach if it is made before.
        private struct Read {
            let thread: Int
            var decision: Int
            /// Which of the thread's steps it is.
            var number: Int32
        }

        private struct Decision {
            /// How many ways there are: to answer a load, for example; or 0, if a thread is chosen.
            var count = 0
            var taken: Int
            /// Sets of threads: which can run, which are to be tried, have been tried, or need not be.
            var enabled: UInt8 = 0
            var wanted: UInt8 = 0
            var tried: UInt8 = 0
            var resting: UInt8 = 0
        }

        /// What a thread does next.
        fileprivate struct Pending {
            var key: UInt = 0
            var reads = false
            var writes = false
        }
        private var random: UInt64?
        private var isTracing = false
        private var trace: [String] = []
        private var accessCount = 0
        private var writeCount = 0
        private var isRestarting = false
        /// The sites that this execution has found to be shared.
        private var foundShared: [Int] = []
        private nonisolated(unsafe) static var abandoned:
            [(check: () -> String?, ending: (() -> Void)?, bodies: [(() -> Void)?])] = []

        private var siteNumbers: [SiteKey: Int] = [:]
        private var siteInfo: [SiteInfo] = []
        private struct SiteInfo {
            var isShared = false
            let site: Site
            var ordering: Ordering
            var failure: Ordering
            let name: String
        }
        private var locations: [UInt: Int] = [:]
        /// By location: who has accessed it in this execution, whether it was written, and from which sites.
        private var uses: [Use] = Array(repeating: Use(), count: memory_location_limit)
        private struct Use {
            var threads: UInt8 = 0
            var isWritten = false
            var sites: [Int] = []
            var address: UInt = 0
            /// How often each thread has read an old message, since it last read the newest.
            var staleReads = SIMD8<UInt8>()
        }
        private var locks: [Lock] = []
        private var lockNumbers: [UInt: Int] = [:]
        /// What static atomics hold before an execution.
        private var statics: [UInt: (byteCount: Int, value: UInt64)] = [:]
        private var choices: [Int32] = []
        private struct Lock {
            var holder = -1
            var clock = SIMD8<Int32>()
        }

        package init(_ program: ModelProgram, weakening: Weakening? = nil, sharedSites: Set<String> = []) {
            self.program = program
            self.weakening = weakening
            self.sharedSites = sharedSites
        }

        /// Sites that are known to be shared, by file, line and column.
        package private(set) var sharedSites: Set<String>

        /// - Parameter count: how many executions are drawn at random, by the same numbers each time: that
        ///   soon finds a failure of a program that has too many executions. Default: they are tried in turn,
        ///   up to the program's limit.
        /// - Throws: ``Violation``.
        package func run(drawing count: Int? = nil) throws {
            random = count == nil ? nil : 0x2545_F491_4F6C_DD1D
            precondition(Self.active == nil, "an exploration goes on already")
            Self.active = self
            defer { Self.active = nil }
            repeat {
                isRestarting = false
                decisions.removeAll(keepingCapacity: true)
                repeat {
                    execute()
                    if let violation { throw explained(violation) }
                    if let limit = count ?? program.executionLimit, executions >= limit { return }
                    if count != nil { decisions.removeAll(keepingCapacity: true) }
                } while !isRestarting && (count != nil || backtrack())
            } while isRestarting
        }

        /// Whether something is to be done that is drawn, with a probability of one in so many; and a number.
        private func draw(_ odds: UInt64) -> Int? {
            guard var drawn = random else { return nil }
            drawn ^= drawn << 13
            drawn ^= drawn >> 7
            drawn ^= drawn << 17
            random = drawn
            return drawn >> 8 & 255 < 256 / odds ? Int(drawn >> 32) : nil
        }

        private func backtrack() -> Bool {
            while var last = decisions.popLast() {
                if last.count > 0 {
                    guard last.taken + 1 < last.count else { continue }
                    last.taken += 1
                } else {
                    last.tried |= 1 << UInt8(last.taken)
                    let left = last.wanted & ~last.tried & ~last.resting
                    guard left != 0 else { continue }
                    last.taken = left.trailingZeroBitCount
                }
                decisions.append(last)
                return true
            }
            return false
        }

        private func explained(_ violation: Violation) -> Violation {
            // As in the execution that failed, sites are shared from where it finds that they are.
            for site in foundShared { siteInfo[site].isShared = false }
            isTracing = true
            trace = []
            self.violation = nil
            execute()
            isTracing = false
            var violation = violation
            violation.trace = trace
            return violation
        }

        // MARK: One execution

        private func execute() {
            executions += 1
            memory_clear()
            locations.removeAll(keepingCapacity: true)
            threads.removeAll(keepingCapacity: true)
            for location in uses.indices {
                (uses[location].threads, uses[location].isWritten) = (0, false)
                uses[location].staleReads = SIMD8()
                uses[location].sites.removeAll(keepingCapacity: true)
            }
            locks.removeAll(keepingCapacity: true)
            lockNumbers.removeAll(keepingCapacity: true)
            foundShared.removeAll(keepingCapacity: true)
            (position, isEnding, isUnexplored) = (0, false, false)
            (isSettled, isChecked, isLeftOver) = (false, false, false)
            (accessCount, writeCount, now) = (0, 0, 1_000_000_000)
            preemptionsLeft = program.preemptions ?? .max
            (current, step, resting) = (-1, -1, 0)
            clocks.removeAll(keepingCapacity: true)
            lastReads.removeAll(keepingCapacity: true)
            for location in writeClocks.indices { writeClocks[location].removeAll(keepingCapacity: true) }
            ModelMemory.reset()
            (check, ending) = ({ nil }, nil)
            program.prepare(Execution(explorer: self))
            isExploring = true
            for index in threads.indices where violation == nil && threads[index].status == .starting {
                begin(index)
            }
            if violation == nil, let next = next(after: -1) {
                current = next
                enter(next)
            }
            isExploring = false
            if violation == nil {
                for thread in threads where thread.status != .ended && !thread.maySleepForever {
                    fail("\(thread.name) sleeps forever", leaves: false)
                    break
                }
            }
            if violation == nil, let reason = check() { fail(reason, leaves: false) }
            if violation == nil, let ending { clean(up: ending) }
            // What was interrupted within is not released: that might wait for it.
            if violation != nil || isLeftOver { Self.abandoned.append((check, ending, threads.map(\.body))) }
            for index in threads.indices { threads[index].body = nil }
            (check, ending) = ({ nil }, nil)
            for (address, beginning) in statics {
                cmodel_write(address, beginning.byteCount, beginning.value)
            }
            statics.removeAll(keepingCapacity: true)
        }

        fileprivate func settle() {
            runUnexplored()
            for index in threads.indices { learn(index) }
            isSettled = true
            for location in uses.indices {
                (uses[location].threads, uses[location].isWritten) = (0, false)
                uses[location].sites.removeAll(keepingCapacity: true)
            }
        }

        private func clean(up body: @escaping () -> Void) {
            (isSettled, isChecked) = (true, true)
            addThread("ending", maySleepForever: true, madeBy: nil, body)
            runUnexplored()
        }

        private func runUnexplored() {
            (isEnding, isUnexplored, isExploring, step) = (true, true, true, -1)
            for index in threads.indices where threads[index].status == .starting { begin(index) }
            if let next = next(after: -1) {
                current = next
                enter(next)
            }
            (isEnding, isUnexplored, isExploring, current) = (false, false, false, -1)
        }

        /// Has a thread know what all others have done.
        private func learn(_ index: Int) {
            for other in threads.indices { memory_join_thread(Int32(other), Int32(index)) }
        }

        /// Notes what an atomic holds before the execution, if it outlives that.
        package func remember(_ address: UInt, _ byteCount: Int) {
            guard cmodel_is_static(address), statics[address] == nil else { return }
            statics[address] = (byteCount, cmodel_read(address, byteCount))
        }

        func addThread(
            _ name: String, maySleepForever: Bool, madeBy maker: Int?, _ body: @escaping () -> Void
        ) {
            precondition(threads.count < memory_thread_limit)
            let stack = ModelMemory.stack(threads.count)
            memory_add_thread(Int32(maker ?? -1))
            if isSettled, maker == nil { learn(threads.count) }
            clocks.append(maker.map { clocks[$0] } ?? SIMD8())
            threads.append(
                Thread(
                    name: name, maySleepForever: maySleepForever, body: body,
                    stack: cmodel_prepare(stack, ModelMemory.stackByteCount) { Explorer.runThread() },
                    earlyReturns: program.earlyReturns, maker: maker))
        }

        /// Runs a new thread until it comes to its first access at a shared site.
        private func begin(_ index: Int) {
            current = index
            enter(index)
        }

        private func enter(_ index: Int) {
            let signal = cmodel_enter(threads[index].stack)
            if isChecked, signal != 0 { isLeftOver = true }
            if signal != 0, violation == nil, !isChecked {
                violation = Violation("\(threads[current].name) fails with signal \(signal)")
            }
        }

        private static func runThread() {
            let explorer = active.unsafelyUnwrapped
            let index = explorer.current
            explorer.threads[index].body.take()?()
            explorer.end(index)
        }

        private func end(_ index: Int) {
            let isStarting = threads[index].status == .starting
            threads[index].status = .ended
            memory_end_thread(Int32(index))
            writeCount += 1
            if isTracing { trace.append("\(threads[index].name) ends") }
            if isStarting { leaveStart(index) }
            change(from: index, to: next(after: index))
        }

        /// Goes back to where the thread was made, when it comes to its first access at a shared site.
        private func leaveStart(_ index: Int) {
            if let maker = threads[index].maker {
                current = maker
                cmodel_change(&threads[index].stack, threads[maker].stack)
            } else {
                cmodel_leave(&threads[index].stack)
            }
        }

        /// The number of the thread that runs.
        package var currentThread: Int { current }
        package var threadCount: Int { threads.count }
        /// Whether the last access of that thread was one that may write.
        package var hasJustWritten: Bool { threads[current].hasJustWritten }

        /// Makes a thread while a program is prepared, or by one of its threads: then it begins at once, and
        /// is interrupted before its first access at a shared site.
        package func startThread(_ name: String, maySleepForever: Bool, _ body: @escaping () -> Void) {
            guard isExploring else {
                return addThread(name, maySleepForever: maySleepForever, madeBy: nil, body)
            }
            let maker = current
            addThread(name, maySleepForever: maySleepForever, madeBy: maker, body)
            current = threads.count - 1
            cmodel_change(&threads[maker].stack, threads[current].stack)
            current = maker
        }

        /// Whether a thread has ended: then the present one knows all that it knew.
        package func join(_ thread: Int) -> Bool {
            guard threads[thread].status == .ended else { return false }
            memory_join_thread(Int32(thread), Int32(current))
            clocks[current] = pointwiseMax(clocks[current], clocks[thread])
            return true
        }

        /// Notes that memory belongs to the present thread, which initializes its first words: another thread
        /// may access them only after that.
        package func begin(_ address: UInt, wordCount: UInt) {
            for word in 0..<wordCount { _ = memory_write_plain(address + 8 * word, Int32(current)) }
        }

        /// Forgets a location, because its memory may be used again.
        package func end(_ address: UInt) { locations[address] = nil }

        /// How often a location was changed in this execution.
        package func changes(of address: UInt) -> Int {
            locations[address].map { Int(memory_count(Int32($0))) - 1 } ?? 0
        }

        /// Ends the execution, and with it the exploration.
        package func fail(_ reason: String) { fail(reason, leaves: true) }

        private func fail(_ reason: String, leaves: Bool) {
            if isChecked { isLeftOver = true }
            if violation == nil, !isChecked { violation = Violation(reason) }
            if leaves, current >= 0, isExploring {
                var abandoned: UnsafeMutableRawPointer?
                cmodel_leave(&abandoned)
            }
        }

        // MARK: Decisions

        private func decide(_ count: Int) -> Int {
            if count <= 1 || isUnexplored { return 0 }
            if position < decisions.count {
                precondition(decisions[position].count == count, "an execution is not like the one before")
                position += 1
                return decisions[position - 1].taken
            }
            if isEnding { return 0 }
            let taken = draw(3).map { $0 % count } ?? 0
            decisions.append(Decision(count: count, taken: taken))
            position += 1
            return taken
        }

        /// The thread that makes the next access, or nil if none can.
        private func next(after index: Int) -> Int? {
            var enabled: UInt8 = 0
            let canContinue = index >= 0 && threads[index].status == .ready
            for other in threads.indices where canRun(other) { enabled |= 1 << UInt8(other) }
            if enabled == 0 { return nextThatWaits() }
            if isUnexplored { return canContinue ? index : enabled.trailingZeroBitCount }
            if canContinue, preemptionsLeft == 0 { enabled = 1 << UInt8(index) }
            let choice: Int
            if position < decisions.count {
                precondition(
                    decisions[position].enabled == enabled, "an execution is not like the one before")
                choice = decisions[position].taken
            } else {
                let left = isEnding ? enabled : enabled & ~resting
                if left == 0 { isEnding = true }
                let choices = left == 0 ? enabled : left
                if let drawn = draw(choices & 1 << UInt8(max(index, 0)) != 0 ? 8 : 1) {
                    let threads = threads.indices.filter { choices & 1 << UInt8($0) != 0 }
                    choice = threads[drawn % threads.count]
                } else {
                    choice =
                        index >= 0 && choices & 1 << UInt8(index) != 0 ? index : choices.trailingZeroBitCount
                }
                if !isEnding {
                    decisions.append(
                        Decision(
                            taken: choice, enabled: enabled, wanted: 1 << UInt8(choice), resting: resting))
                }
            }
            if canContinue, choice != index, preemptionsLeft != .max { preemptionsLeft -= 1 }
            guard !isEnding else {
                step = -1
                return choice
            }
            step = position
            position += 1
            let others = (decisions[step].resting | decisions[step].tried) & ~(1 << UInt8(choice))
            resting = 0
            let pending = threads[choice].pending
            for other in threads.indices where others & 1 << UInt8(other) != 0 {
                let waiting = threads[other].pending
                if waiting.key != pending.key || !waiting.reads || !pending.writes {
                    resting |= 1 << UInt8(other)
                }
            }
            return choice
        }

        /// Notes an access, and which reads of other threads it could have preceded.
        ///
        /// A read that is made after a write may return older messages, as if it had been made before. So
        /// only the order of a read and a later write matters, unless the one has led to the other.
        private func noteStep(_ key: UInt, reads: Bool, writes: Bool) {
            guard !isEnding else { return }
            let index = current
            clocks[index][index] += 1
            let number = clocks[index][index]
            if writes {
                for read in lastReads[key] ?? []
                where read.thread != index && read.number > clocks[index][read.thread] {
                    guard read.decision >= 0 else { continue }
                    if decisions[read.decision].enabled & 1 << UInt8(index) != 0 {
                        decisions[read.decision].wanted |= 1 << UInt8(index)
                    } else {
                        decisions[read.decision].wanted |= decisions[read.decision].enabled
                    }
                }
            }
            guard reads else { return }
            let read = Read(thread: index, decision: step, number: number)
            var reads = lastReads[key] ?? []
            lastReads[key] = []
            if let place = reads.firstIndex(where: { $0.thread == index }) {
                reads[place] = read
            } else {
                reads.append(read)
            }
            lastReads[key] = reads
        }

        private func canRun(_ index: Int) -> Bool {
            switch threads[index].status {
            case .ready: true
            case .yielding(let count): count != writeCount
            case .locked(let lock): locks[lock].holder < 0
            case .asleep(_, let deadline): deadline <= now
            default: false
            }
        }

        /// When all others wait or have ended: a thread that looks again and again, or one whose time is over
        /// next.
        private func nextThatWaits() -> Int? {
            if isUnexplored { return nil }
            let spinning = threads.indices.filter {
                if case .yielding = threads[$0].status { true } else { false }
            }
            if let index = spinning.first(where: { !threads[$0].isPatient }) {
                threads[index].patience = 8
                return index
            }
            var first = UInt64.max
            for thread in threads {
                if case .asleep(_, let deadline) = thread.status { first = min(first, deadline) }
            }
            guard first < .max else {
                if let index = spinning.first { fail("\(threads[index].name) spins forever", leaves: false) }
                return nil
            }
            now = first
            return next(after: -1)
        }

        /// Continues with another thread, or with none.
        private func change(from index: Int, to next: Int?) {
            guard next != index else { return }
            guard let next, violation == nil else {
                cmodel_leave(&threads[index].stack)
                return
            }
            current = next
            cmodel_change(&threads[index].stack, threads[next].stack)
        }

        /// Lets other threads take turns, before an access that they may notice.
        private func interrupt(_ key: UInt, reads: Bool, writes: Bool) {
            let index = current
            threads[index].pending = Pending(key: key, reads: reads, writes: writes)
            if threads[index].status == .starting {
                threads[index].status = .ready
                leaveStart(index)
            } else {
                change(from: index, to: next(after: index))
            }
            threads[index].status = .ready
        }

        private func wait(_ status: Status) {
            let index = current
            if case .locked = status {} else { threads[index].pending = Pending() }
            let isStarting = threads[index].status == .starting
            threads[index].status = status
            if isStarting { leaveStart(index) } else { change(from: index, to: next(after: index)) }
            threads[index].status = .ready
        }

        // MARK: Sites and locations

        private func number(
            _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int,
            _ operation: Site.Operation,
            _ ordering: Ordering, _ failure: Ordering
        ) -> Int {
            let key = SiteKey(file: file.utf8Start, line: line, column: column)
            if let number = siteNumbers[key] {
                if !isUnexplored { sites.insert(siteInfo[number].site) }
                return number
            }
            let name = file.description.split(separator: "/").last.map(String.init) ?? ""
            let site = Site(
                file: name, line: line, column: column, function: function.description, operation: operation,
                ordering: ordering, failure: failure)
            if !isUnexplored { sites.insert(site) }
            var info = SiteInfo(
                site: site, ordering: ordering, failure: failure, name: "\(name):\(line):\(column)")
            info.isShared = sharedSites.contains(info.name)
            if let weakening, weakening.file == name, weakening.line == line, weakening.column == column {
                if weakening.isFailure {
                    info.failure = weakening.ordering
                } else {
                    info.ordering = weakening.ordering
                }
            }
            siteInfo.append(info)
            siteNumbers[key] = siteInfo.count - 1
            return siteInfo.count - 1
        }

        private func share(_ site: Int) {
            guard !siteInfo[site].isShared, !isUnexplored else { return }
            siteInfo[site].isShared = true
            foundShared.append(site)
            sharedSites.insert(siteInfo[site].name)
            isRestarting = true
        }

        /// The location at an address, before an access.
        private func location(_ address: UInt, _ byteCount: Int, _ site: Int, isWrite: Bool) -> Int {
            let location: Int
            // If it holds something else, another atomic has its memory now.
            if let known = locations[address],
                memory_count(Int32(known)) == 0
                    || memory_value(Int32(known), memory_count(Int32(known)) - 1)
                        == cmodel_read(address, byteCount)
            {
                location = known
            } else {
                location = Int(memory_add_location())
                precondition(location < memory_location_limit, "a view has no place for more locations")
                remember(address, byteCount)
                locations[address] = location
                uses[location].address = address
            }
            if memory_count(Int32(location)) == 0 {
                memory_begin(Int32(location), cmodel_read(address, byteCount))
                while writeClocks.count <= location { writeClocks.append([]) }
                writeClocks[location].append(SIMD8())
            }
            uses[location].threads |= 1 << UInt8(current)
            if isWrite { uses[location].isWritten = true }
            if !uses[location].sites.contains(site) { uses[location].sites.append(site) }
            if uses[location].isWritten, uses[location].threads.nonzeroBitCount > 1 {
                for site in uses[location].sites { share(site) }
            }
            if memory_count(Int32(location)) > 250 { fail("a loop writes again and again") }
            return location
        }

        private func beginAccess(_ site: Int, _ key: UInt, reads: Bool, writes: Bool) {
            accessCount += 1
            threads[current].hasJustWritten = writes
            if threads[current].patience > 0 { threads[current].patience -= 1 }
            if accessCount > 20_000 { fail("\(threads[current].name) does not end") }
            if siteInfo[site].isShared { interrupt(key, reads: reads, writes: writes) }
        }

        private func endAccess(
            _ what: @autoclosure () -> String, _ site: Int, _ location: Int, _ value: UInt64
        ) {
            if isTracing {
                let access = "\(siteInfo[site].name) \(what()) \(ModelMemory.name(uses[location].address))"
                trace.append("\(threads[current].name): \(access) = \(String(value, radix: 16))")
            }
        }

        private func checkPlain(_ address: UInt, isWrite: Bool) {
            guard !memory_knows_plain(address & ~7, Int32(current)) else { return }
            fail("\(threads[current].name) reads what another thread initializes")
        }

        // MARK: What memory answers

        private func load(_ location: Int32, _ ordering: Int32) -> UInt64 {
            let (index, newest) = (Int32(current), memory_count(location) - 1)
            // Memory shows what is new at some time: after a few loads.
            let isFair = threads[current].isPatient || uses[Int(location)].staleReads[current] >= 3
            let oldest = isFair ? newest : memory_oldest(location, ordering, index)
            var stamp = newest
            if oldest < newest {
                // The newest first, so that a thread that spins soon ends.
                choices.removeAll(keepingCapacity: true)
                for stamp in (oldest...newest).reversed()
                where memory_may_read(location, stamp, ordering, index) {
                    choices.append(stamp)
                }
                stamp = choices[decide(choices.count)]
            }
            let value = memory_value(location, stamp)
            noteAge(stamp, newest, location)
            memory_read(location, stamp, ordering, index)
            follow(location, stamp)
            return value
        }

        private func noteAge(_ stamp: Int32, _ newest: Int32, _ location: Int32) {
            if stamp < newest {
                uses[Int(location)].staleReads[current] += 1
            } else {
                uses[Int(location)].staleReads[current] = 0
            }
        }

        /// The write of a message comes before the present access.
        private func follow(_ location: Int32, _ stamp: Int32) {
            clocks[current] = pointwiseMax(clocks[current], writeClocks[Int(location)][Int(stamp)])
        }

        private func wrote(_ location: Int32, _ stamp: Int32) {
            writeClocks[Int(location)].insert(clocks[current], at: Int(stamp))
        }

        private func store(_ value: UInt64, _ location: Int32, _ ordering: Int32) {
            let (index, count) = (Int32(current), memory_count(location))
            let oldest = memory_oldest(location, ordering, index)
            var stamp = count
            if oldest + 1 < count {
                choices.removeAll(keepingCapacity: true)
                for stamp in (oldest + 1...count).reversed() where !memory_is_update(location, stamp) {
                    choices.append(stamp)
                }
                stamp = choices[decide(choices.count)]
            }
            memory_store(value, location, stamp, ordering, index)
            wrote(location, stamp)
        }

        private func update(
            _ location: Int32, _ ordering: Int32, _ failure: Int32, _ change: (UInt64) -> UInt64?
        ) -> (UInt64, Bool) {
            let (index, newest) = (Int32(current), memory_count(location) - 1)
            choices.removeAll(keepingCapacity: true)
            let isFair = threads[current].isPatient || uses[Int(location)].staleReads[current] >= 3
            for stamp in ((isFair ? newest : 0)...newest).reversed() {
                if change(memory_value(location, stamp)) == nil {
                    if memory_may_read(location, stamp, failure, index) { choices.append(stamp) }
                } else if memory_may_read(location, stamp, ordering, index),
                    !memory_is_update(location, stamp + 1)
                {
                    choices.append(stamp)
                }
            }
            let stamp = choices[decide(choices.count)]
            noteAge(stamp, newest, location)
            let before = memory_value(location, stamp)
            guard let value = change(before) else {
                memory_read(location, stamp, failure, index)
                follow(location, stamp)
                return (before, false)
            }
            memory_update(value, location, stamp, ordering, index)
            follow(location, stamp)
            wrote(location, stamp + 1)
            return (before, true)
        }

        // MARK: Accesses

        package func load(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, isData: Bool, file: StaticString,
            function: StaticString, line: Int, column: Int
        ) -> UInt64 {
            let site = number(file, function, line, column, .load, ordering, .relaxed)
            beginAccess(site, address, reads: true, writes: false)
            let location = location(address, byteCount, site, isWrite: false)
            noteStep(address, reads: true, writes: false)
            checkPlain(address, isWrite: false)
            let value = load(Int32(location), siteInfo[site].ordering.code)
            if isData { memory_read_data(address, Int32(current)) }
            endAccess("load \(siteInfo[site].ordering)", site, location, value)
            return value
        }

        package func store(
            _ value: UInt64, _ address: UInt, _ byteCount: Int, _ ordering: Ordering, file: StaticString,
            function: StaticString, line: Int, column: Int
        ) {
            let site = number(file, function, line, column, .store, ordering, .relaxed)
            beginAccess(site, address, reads: false, writes: true)
            let location = location(address, byteCount, site, isWrite: true)
            noteStep(address, reads: false, writes: true)
            checkPlain(address, isWrite: true)
            store(value, Int32(location), siteInfo[site].ordering.code)
            didWrite(address, byteCount, location)
            endAccess("store \(siteInfo[site].ordering)", site, location, value)
        }

        package func update(
            _ address: UInt, _ byteCount: Int, _ ordering: Ordering, failure: Ordering, file: StaticString,
            function: StaticString, line: Int, column: Int, _ change: (UInt64) -> UInt64?
        ) -> UInt64 {
            let site = number(file, function, line, column, .update, ordering, failure)
            beginAccess(site, address, reads: true, writes: true)
            let location = location(address, byteCount, site, isWrite: true)
            noteStep(address, reads: true, writes: true)
            checkPlain(address, isWrite: true)
            let (value, hasWritten) = update(
                Int32(location), siteInfo[site].ordering.code, siteInfo[site].failure.code, change)
            if hasWritten {
                // A thread that finds a lock taken changes nothing that others wait for.
                if change(value) == value { writeCount -= 1 }
                didWrite(address, byteCount, location)
            }
            endAccess(
                "\(hasWritten ? "update" : "fail to update") \(siteInfo[site].ordering)", site, location,
                value)
            return value
        }

        package func fence(
            _ ordering: Ordering, file: StaticString, function: StaticString, line: Int, column: Int
        ) {
            let site = number(file, function, line, column, .fence, ordering, .relaxed)
            memory_fence(siteInfo[site].ordering.code, Int32(current))
            if isTracing { trace.append("\(threads[current].name): \(siteInfo[site].name) fence") }
        }

        private func didWrite(_ address: UInt, _ byteCount: Int, _ location: Int) {
            writeCount += 1
            cmodel_write(address, byteCount, memory_value(Int32(location), memory_count(Int32(location)) - 1))
            let reader = memory_write_data(address, Int32(current))
            if reader >= 0 {
                fail("\(threads[Int(reader)].name) may read what \(threads[current].name) writes later")
            }
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

        // MARK: Waiting

        /// Sleeps for a time, in nanoseconds.
        package func pause(_ time: UInt64) { wait(.asleep(0, now + time)) }

        /// Lets others continue: the thread does nothing before one of them has written something.
        package func yield() {
            if isTracing { trace.append("\(threads[current].name) yields") }
            wait(.yielding(writeCount))
        }

        /// Sleeps until the location is woken, if it may still hold this value.
        ///
        /// The kernel reads the location like a relaxed load that meets at least what its wakers have stored
        /// there.
        package func sleep(
            _ address: UInt, while value: UInt32, until deadline: UInt64, file: StaticString = #fileID,
            function: StaticString = #function, line: Int = #line, column: Int = #column
        ) {
            let site = number(file, function, line, column, .other, .relaxed, .relaxed)
            siteInfo[site].isShared = true
            beginAccess(site, address + 1, reads: true, writes: true)
            let index = current
            let location = location(address, 4, site, isWrite: false)
            noteStep(address, reads: true, writes: false)
            noteStep(address + 1, reads: true, writes: true)
            var (mayBe, mayDiffer) = (false, false)
            for stamp in memory_oldest_for_sleeper(
                Int32(location), Int32(index))..<memory_count(Int32(location))
            {
                if memory_value(Int32(location), stamp) == UInt64(value) {
                    mayBe = true
                } else {
                    mayDiffer = true
                }
            }
            var sleeps = mayBe
            if mayBe, mayDiffer || threads[index].earlyReturns > 0 {
                sleeps = decide(2) == 0
                if !sleeps, !mayDiffer {
                    threads[index].earlyReturns -= 1
                    if deadline != .max { now = max(now, deadline) }
                }
            }
            if isTracing { trace.append("\(threads[index].name) \(sleeps ? "sleeps" : "does not sleep")") }
            if sleeps { wait(.asleep(address, deadline)) }
        }

        /// Wakes one thread that sleeps on the location, if there is any.
        package func wake(
            _ address: UInt, file: StaticString = #fileID, function: StaticString = #function,
            line: Int = #line,
            column: Int = #column
        ) {
            let site = number(file, function, line, column, .other, .relaxed, .relaxed)
            siteInfo[site].isShared = true
            beginAccess(site, address + 1, reads: true, writes: true)
            let index = current
            noteStep(address + 1, reads: true, writes: true)
            if let location = locations[address] { memory_wake(Int32(location), Int32(index)) }
            writeCount += 1
            let sleepers = threads.indices.filter {
                if case .asleep(address, _) = threads[$0].status { true } else { false }
            }
            if isTracing { trace.append("\(threads[index].name) wakes \(sleepers.map { threads[$0].name })") }
            if sleepers.isEmpty { return }
            let woken = sleepers[decide(sleepers.count)]
            threads[woken].status = .ready
            clocks[woken] = pointwiseMax(clocks[woken], clocks[index])
        }

        // MARK: Locks

        package func lock(_ address: UInt) {
            interrupt(address, reads: true, writes: true)
            let index = current
            if lockNumbers[address] == nil {
                lockNumbers[address] = locks.count
                locks.append(Lock())
                precondition(locks.count <= memory_lock_limit, "a program has too many locks")
            }
            let number = lockNumbers[address] ?? 0
            while locks[number].holder >= 0 { wait(.locked(number)) }
            noteStep(address, reads: true, writes: true)
            clocks[index] = pointwiseMax(clocks[index], locks[number].clock)
            locks[number].holder = index
            memory_lock(Int32(number), Int32(index))
            if isTracing { trace.append("\(threads[index].name) locks \(number)") }
        }

        package func unlock(_ address: UInt) {
            let number = lockNumbers[address] ?? 0
            memory_unlock(Int32(number), Int32(current))
            locks[number].holder = -1
            locks[number].clock = clocks[current]
            writeCount += 1
        }

        /// The lock's memory may be another's.
        package func endLock(_ address: UInt) { lockNumbers[address] = nil }
    }
#endif
