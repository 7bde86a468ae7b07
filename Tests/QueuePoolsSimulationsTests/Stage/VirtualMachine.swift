import AsyncLayers
import Dispatch
import Foundation
import QueuePools
import TestSupport
import QueuePoolsTransactions

/// A machine in virtual time: a main thread, and processors that serve the tiers of a pool, the highest
/// first. Draws overlap as on a real one: a draw that spends time is a thread of its own that waits until the
/// machine lets it continue, and while one thread runs all others wait. So a seed decides everything.
///
/// `Simulation` has one thread, on which what happens within a draw makes that draw longer; here a draw takes
/// as long as it says, so waiting can be compared with what was drawn meanwhile.
final class VirtualMachine: HostLoop, @unchecked Sendable {  // one thread runs at a time, by semaphores
    typealias MainWork = @MainActor @Sendable () -> Void

    private(set) var now = Duration.zero
    /// Called when nothing more can happen at a time, before time passes.
    @MainActor var beforeTimePasses: (() -> Void)?
    /// Called with a job's number when it has ended.
    var jobHasEnded: ((Int) -> Void)?
    private(set) var transactions = TransactionQueue(driver: ManualTurnDriver())

    private var mainWork: [MainWork] = []
    private var timers: [(number: Int, time: Duration, work: MainWork)] = []
    private var lastTimer = 0
    private var ready = QoSTier.allCases.map { _ in [@Sendable () -> Void]() }
    private var processors: [Processor] = []
    private var running: Processor?
    private let driver = DispatchSemaphore(value: 0)
    private var isAwake = false
    private var jobCount = 0
    private var choice: SeededGenerator

    /// A thread that runs jobs.
    private final class Processor: @unchecked Sendable {  // as the machine
        let turn = DispatchSemaphore(value: 0)
        var job: (@Sendable () -> Void)?
        var tier = QoSTier.userInitiated
        var jobNumber = 0
        /// Until when the job spends time.
        var until = Duration.zero
        var isClosed = false
    }

    init(processorCount: Int, seed: UInt64) {
        choice = SeededGenerator(seed: seed)
        for _ in 0..<processorCount {
            let processor = Processor()
            processors.append(processor)
            // Holds the processor and the driver's semaphore only, so that a machine that is dropped ends its
            // threads.
            let driver = driver
            Thread.detachNewThread {
                while true {
                    processor.turn.wait()
                    if processor.isClosed { return }
                    processor.job?()
                    processor.job = nil
                    driver.signal()
                }
            }
        }
    }

    deinit {
        for processor in processors {
            processor.isClosed = true
            processor.turn.signal()
        }
    }

    /// A pool whose tiers the processors serve.
    func makePool() throws -> QueuePool<ProcessorQueue> {
        try QueuePool(.init(label: "machine", queuesPerTier: .exactly(1))) {
            _, tier, _ in ProcessorQueue(tier: tier, machine: self)
        }
    }

    fileprivate func add(_ job: @escaping @Sendable () -> Void, to tier: QoSTier) {
        ready[tier.rawValue].append(job)
    }

    var processorCount: Int { processors.count }
    var idleProcessorCount: Int { processors.count { $0.job == nil } }
    /// That of the job which is being run.
    var runningTier: QoSTier { running?.tier ?? .userInteractive }
    /// The number of the job which is being run; 0 for none.
    var runningJob: Int { running?.jobNumber ?? 0 }
    var hasReadyJobs: Bool { ready.contains { !$0.isEmpty } }

    // MARK: As layers see it

    func perform(_ work: @escaping MainWork) { mainWork.append(work) }

    @discardableResult
    func perform(at time: Duration, _ work: @escaping MainWork) -> HostTimer {
        // Behind those of the same time; scenarios add thousands, so by halves.
        var (index, end) = (0, timers.count)
        while index < end {
            let middle = (index + end) / 2
            if timers[middle].time <= time { index = middle + 1 } else { end = middle }
        }
        lastTimer += 1
        timers.insert((lastTimer, time, work), at: index)
        return HostTimer { [weak self, number = lastTimer] in self?.timers.removeAll { $0.number == number } }
    }

    @MainActor
    func sleep(until time: Duration) {
        while !isAwake, now < time, runOther() || passTime(until: time) {}
        isAwake = false
    }

    func wake() { isAwake = true }

    /// Called by a draw: it takes so much longer.
    func spend(_ time: Duration) {
        guard time > .zero, let processor = running else { return }
        processor.until = now + time
        driver.signal()
        processor.turn.wait()
    }

    // MARK: As tests see it

    /// Runs until nothing is left to do at a time.
    @MainActor
    func run(until end: Duration) {
        repeat {
            while runAny() {}
            beforeTimePasses?()
        } while passTime(until: end)
        now = max(now, end)
    }

    /// Does one of the things that can happen now.
    @MainActor
    private func runAny() -> Bool {
        let isMainDue = !mainWork.isEmpty || timers.first.map { $0.time <= now } ?? false
        let hasTurn = transactions.hasPending
        switch choice.next() % 3 {
        case 0 where isMainDue: runMain()
        case 1 where hasTurn: transactions.flush()
        default:
            if runOther() { return true }
            guard isMainDue || hasTurn else { return false }
            if isMainDue { runMain() } else { transactions.flush() }
        }
        return true
    }

    @MainActor
    private func runMain() {
        let isTimer =
            mainWork.isEmpty || choice.next() % 2 == 0 && timers.first.map { $0.time <= now } ?? false
        let work = isTimer ? timers.removeFirst().work : mainWork.removeFirst()
        work()
    }

    /// Lets a processor continue whose time is over, or begin the oldest job of the highest tier.
    private func runOther() -> Bool {
        if let due = processors.filter({ $0.job != nil && $0.until <= now }).randomElement(using: &choice) {
            resume(due)
            return true
        }
        guard let idle = processors.first(where: { $0.job == nil }),
            let tier = ready.indices.last(where: { !ready[$0].isEmpty })
        else { return false }
        idle.job = ready[tier].removeFirst()
        jobCount += 1
        idle.jobNumber = jobCount
        idle.tier = QoSTier(rawValue: tier) ?? idle.tier
        resume(idle)
        return true
    }

    private func resume(_ processor: Processor) {
        running = processor
        processor.turn.signal()
        driver.wait()
        running = nil
        if processor.job == nil { jobHasEnded?(processor.jobNumber) }
    }

    /// Advances to the next time at which something happens; false if that is later than the end.
    private func passTime(until end: Duration) -> Bool {
        let times = processors.filter { $0.job != nil }.map(\.until) + [timers.first?.time].compactMap(\.self)
        guard let next = times.min(), next <= end else { return false }
        now = max(now, next)
        return true
    }
}

/// What a pool submits to a ``VirtualMachine``; its jobs begin in order, and overlap.
final class ProcessorQueue: SerialQueue {
    private let tier: QoSTier
    private unowned let machine: VirtualMachine

    init(tier: QoSTier, machine: VirtualMachine) {
        (self.tier, self.machine) = (tier, machine)
    }

    func enqueue(_ job: @escaping @Sendable () -> Void) { machine.add(job, to: tier) }

    var isCurrent: Bool { false }
}
