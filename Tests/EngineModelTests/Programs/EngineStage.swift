#if os(Linux)
    import MemoryModel

    /// A tier's part of the engine, with threads, for programs that try it by coarse calls. Most of the code
    /// that depends on the way in which the engine is divided into types is here; programs of threads and of
    /// the supervisor name a few.
    ///
    /// Variables of programs are marked `nonisolated(unsafe)`: one thread of the execution runs at a time.
    final class EngineStage: @unchecked Sendable {  // one thread of the execution runs at a time
        let execution: Execution
        let partition: WorkerPartition
        var group: WorkerGroup { partition.group }
        private(set) var ran: [Int] = []

        struct Options {
            /// How many threads there are at most.
            var threads = 1
            /// How many threads have a word of `parked`.
            var slotsPerWord = 64
            var queues = 1
            /// Whether there are unordered jobs: in a lane, and another for delayed jobs.
            var hasLanes = false
            /// How often a thread looks before it parks.
            var yields = 0
            /// Whether threads end when they have had nothing to do.
            var endIdle = false
            /// How many jobs may wait.
            var capacity: Int?
            var observation: JobObservation?
            /// Whether no thread was made before.
            var isUnused = false
            /// Whether the supervisor is there before the program begins.
            var isSupervised = true
            var slots: UInt64 = 3
            var adjust: (inout ThreadSettings) -> Void = { _ in }
        }

        init(_ execution: Execution, _ set: (inout Options) -> Void = { _ in }) {
            var options = Options()
            set(&options)
            self.execution = execution
            MailboxSizes.set(slotCount: options.slots)
            ModelThreads.reset()
            JobContext.reset()
            var settings = ThreadSettings(label: "model", limit: options.threads, keepsLast: false)
            settings.threads.idleLimit = options.endIdle ? .seconds(1) : .seconds(Int64.max)
            settings.threads.yieldsBeforeParking = options.yields
            settings.scheduling = options.yields > 0 ? ThreadScheduling() : nil
            settings.observation = options.observation
            settings.slotsPerWord = options.slotsPerWord
            options.adjust(&settings)
            let accounting = options.hasLanes || options.capacity != nil
            partition = WorkerPartition(
                WorkerGroup(
                    settings: settings, labels: (0..<options.queues).map { "\($0)" },
                    accounting: accounting ? TierAccounting(.utility, capacity: options.capacity) : nil))
            if options.isSupervised { _ = Supervisor.current() }
            if !options.isUnused { _ = group.firstThread.claim() }
            execution.ending { [self] in group.retire() }
        }

        func queue(_ index: Int = 0) -> WorkerQueue { partition.queues[index].takeUnretainedValue() }

        /// Begins with a thread that is awake, and has looked at nothing yet.
        func addThread(_ index: Int = 0) {
            claimSlot(index)
            startThread(index)
        }

        func startThread(_ index: Int) { _ = WorkerThread(group: group, index: index).start() }

        /// Prepares a thread that is awake, before the others settle.
        func claimSlot(_ index: Int) {
            _ = group.parking.claim(index)
            _ = group.parking.occupy(index)
            group.unended.pointee.wrappingAdd(1, ordering: .relaxed)
        }

        func thread(_ name: String, _ body: @escaping () -> Void) { execution.thread(name, body) }

        /// Ends threads that have nothing to do, and waits until they have ended.
        func shutDown() {
            group.retire()
            group.joinThreads { false }
        }

        func close(intake: Int, _ body: @escaping () -> Void) {
            nonisolated(unsafe) let body = body  // one thread of the execution runs at a time
            partition.intakes[intake].close { body() }
        }

        /// The number of a lane's intake.
        var lane: Int { partition.queues.count }

        func pause(milliseconds: UInt64) { execution.explorer.pause(milliseconds * 1_000_000) }

        func fail(_ reason: String) { execution.explorer.fail(reason) }

        var hasThreads: Bool { group.unended.pointee.load(ordering: .relaxed) > 0 }

        var statistics: TierStatistics {
            var statistics = TierStatistics()
            partition.add(to: &statistics)
            return statistics
        }

        // MARK: Jobs

        /// A job that notes its number.
        func job(_ number: Int, _ body: @escaping () -> Void = {}) -> @Sendable () -> Void {
            nonisolated(unsafe) let body = body  // one thread of the execution runs at a time
            return { [self] in
                body()
                ran.append(number)
            }
        }

        /// Sends an ordered job.
        func send(_ number: Int, to queue: Int = 0, _ body: @escaping () -> Void = {}) {
            self.queue(queue).enqueue(job(number, body))
        }

        /// Submits an unordered job.
        @discardableResult
        func submit(_ number: Int, _ body: @escaping () -> Void = {}) -> PoolJob? {
            partition.submit(job(number, body), to: nil, because: .starting)
        }

        /// Submits an unordered job that the calling job waits for, so that its thread may keep it.
        func keep(_ number: Int, _ body: @escaping () -> Void = {}) {
            _ = partition.submit(job(number, body), to: nil, because: .suspending)
        }

        func sync(_ number: Int, on queue: Int = 0, _ body: @escaping () -> Void = {}) {
            do { try self.queue(queue).sync(job(number, body)) } catch {}
        }

        /// Blocks until a job has run.
        func wait(for number: Int) {
            while !ran.contains(number) { execution.explorer.yield() }
        }

        /// Describes the fault unless these jobs have run, each once; otherwise nil.
        func problem(_ jobs: [Int]) -> String? { ran.sorted() == jobs ? nil : "ran \(ran)" }
    }

    /// A word that is no atomic: accesses of two threads that nothing orders are a data race.
    struct Cell: @unchecked Sendable {  // a constant address, whose accesses the explorer sees
        private let address = UInt(bitPattern: ModelMemory.allocate(byteCount: 8, alignment: 8))

        func write() { Explorer.running?.accessPlainly(address, isWrite: true) }
        func read() { Explorer.running?.accessPlainly(address, isWrite: false) }
    }
#endif
