#if os(Linux)
    import CQueuePoolsEvents
    import Dispatch
    import Foundation
    import MainLoopBridges
    import TransactionScenarios

    /// Scenarios of the watches of a frame loop.
    enum WatchScenario: String {
        case reading, writing, hangUp, manyReady, badDescriptors, reusedNumber
        case cancelledByTimer, cancelledByItself, cancelledByOther, replacedByTimer, cancelledTwice

        /// Runs it; the program ends when it is done.
        @MainActor
        func run() throws -> Never {
            let loop = try FrameLoop()
            settle(loop)
            switch self {
            case .reading: try readFromThread(loop)
            case .writing: try writeAndRead(loop)
            case .hangUp: try readAfterHangUp(loop)
            case .manyReady: try watchMany(loop)
            case .badDescriptors: watchBadDescriptors(loop)
            case .reusedNumber: try reuseNumber(loop)
            case .cancelledByTimer: try cancelInTimer(loop, replaces: false)
            case .replacedByTimer: try cancelInTimer(loop, replaces: true)
            case .cancelledByItself: try cancelItself(loop)
            case .cancelledByOther: try cancelEachOther(loop)
            case .cancelledTwice: try cancelTwice(loop)
            }
            finish()
        }
    }

    private func makePipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func readByte(_ descriptor: Int32) -> Int {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1)
    }

    /// Those that closures cancel.
    @MainActor private var watches: [FrameLoop.Registration] = []

    /// Bytes of another thread arrive one a turn, though each wakes the loop while it sleeps or runs.
    @MainActor
    private func readFromThread(_ loop: FrameLoop) throws {
        let pipe = makePipe()
        var count = 0
        try loop.watch(pipe.reading) { readiness in
            guard readiness == .readable, readByte(pipe.reading) == 1 else { return loop.stop() }
            count += 1
        }
        Thread.detachNewThread {
            for _ in 0..<1000 { write(pipe.writing, "a", 1) }
            close(pipe.writing)
        }
        loop.run()
        report("\(count)")
    }

    @MainActor
    private func writeAndRead(_ loop: FrameLoop) throws {
        var ends: [Int32] = [0, 0]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let reportReadiness: @MainActor (FrameLoop.Readiness) -> Void = { readiness in
            report("\(readiness.contains(.readable)) \(readiness.contains(.writable))")
        }
        let both = try loop.watch(ends[0], for: [.readable, .writable], onReady: reportReadiness)
        loop.performTurn()
        write(ends[1], "a", 1)
        loop.performTurn()
        both.cancel()
        // Another watch of the same descriptor, for less.
        try loop.watch(ends[0], for: .readable, onReady: reportReadiness)
        loop.performTurn()
        _ = readByte(ends[0])
        report("\(loop.performTurn(timeout: .zero))")
    }

    @MainActor
    private func readAfterHangUp(_ loop: FrameLoop) throws {
        let pipe = makePipe()
        for readiness in [FrameLoop.Readiness.readable, []] {
            let watch = try loop.watch(pipe.reading, for: readiness) { ready in
                report("\(ready == readiness), \(readByte(pipe.reading)) bytes")
            }
            if readiness == .readable { close(pipe.writing) }
            loop.performTurn()
            watch.cancel()
        }
    }

    /// More than one wait of the loop returns.
    @MainActor
    private func watchMany(_ loop: FrameLoop) throws {
        var counts = [Int](repeating: 0, count: 300)
        for index in counts.indices { try loop.watch(signalledEvent()) { _ in counts[index] += 1 } }
        // They stay ready. Those that a turn leaves out are first in the next one.
        for _ in 0..<10 { loop.performTurn() }
        report("\(counts.allSatisfy { (1...10).contains($0) })")
    }

    @MainActor
    private func watchBadDescriptors(_ loop: FrameLoop) {
        let closed: Int32 = 999
        let event = cqp_event_make()
        for descriptor in [-1, closed, open("/proc/self/exe", O_RDONLY), open("/", O_RDONLY), event, event] {
            reportError { try loop.watch(descriptor) { _ in } }
        }
        // One that is refused is not counted as watched.
        reportError { try loop.watch(closed) { _ in } }
        report("\(loop.performTurn(timeout: .zero))")
    }

    /// The number of a watched file that was closed belongs to another file.
    @MainActor
    private func reuseNumber(_ loop: FrameLoop) throws {
        let first = signalledEvent()
        let watch = try loop.watch(first) { _ in report("first") }
        close(first)
        let second = signalledEvent()
        report("\(second == first)")
        reportError { try loop.watch(second) { _ in report("second") } }
        watch.cancel()
        reportError { try loop.watch(second) { _ in report("second") } }
        loop.performTurn()
    }

    /// A timer cancels the watch of a descriptor that is ready in the same turn, and perhaps adds another.
    @MainActor
    private func cancelInTimer(_ loop: FrameLoop, replaces: Bool) throws {
        let event = signalledEvent()
        let watch = try loop.watch(event) { _ in report("first") }
        var replacement: FrameLoop.Registration?
        loop.perform(after: .zero) {
            report("timer")
            watch.cancel()
            if replaces { replacement = try? loop.watch(event) { _ in report("second") } }
        }
        loop.performTurn()
        report("turn ended")
        report("\(loop.performTurn(timeout: .zero))")
        withExtendedLifetime(replacement) {}
    }

    @MainActor
    private func cancelItself(_ loop: FrameLoop) throws {
        var watch: FrameLoop.Registration?
        do {
            let target = Target { report("released") }
            watch = try loop.watch(signalledEvent()) { [target] _ in
                watch?.cancel()
                withExtendedLifetime(target) { report("cancelled") }
            }
        }
        loop.performTurn()
        report("turn ended, \(watch?.isActive, default: "none")")
        report("\(loop.performTurn(timeout: .milliseconds(50)))")
        // The loop retains nothing of it.
        weak var registration: FrameLoop.Registration?
        registration = watch
        watch = nil
        report("\(registration == nil)")
    }

    @MainActor
    private func cancelEachOther(_ loop: FrameLoop) throws {
        for index in 0..<10 {
            watches.append(
                try loop.watch(signalledEvent()) { _ in
                    report("called")
                    for (other, watch) in watches.enumerated() where other != index { watch.cancel() }
                })
        }
        loop.performTurn()
        report("\(watches.count { $0.isActive }) active")
    }

    /// The second cancellation must not end the watch that has taken the descriptor over.
    @MainActor
    private func cancelTwice(_ loop: FrameLoop) throws {
        let event = signalledEvent()
        let first = try loop.watch(event) { _ in report("first") }
        first.cancel()
        try loop.watch(event) { _ in report("second") }
        first.cancel()
        report("\(loop.performTurn(timeout: .zero))")
    }
#endif
