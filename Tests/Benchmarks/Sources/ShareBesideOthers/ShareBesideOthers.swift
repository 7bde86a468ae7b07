// How much of the processors does a process get beside another one that keeps all of them busy, in a session
// of its own, and does it depend on how the pool's tiers are scheduled? Linux only.
//
//     swift run -c release --package-path Tests/Benchmarks ShareBesideOthers
//
// Each contender is a process with a pool: an urgent job of 2 ms each 10 ms, and as much work of `default`
// and `background` as they can do. With `kernel.sched_autogroup_enabled` the kernel shares the processors
// among sessions before it looks at nice values; control groups do the same. Rounds take all in turn.

import ArgumentParser
import Foundation
import QueuePools

#if os(Linux)
    enum Contender: String, CaseIterable, ExpressibleByArgument {
        case separated
        case separatedWithoutSlices = "separated-without-slices"
        case inherited

        var scheduling: TierScheduling {
            switch self {
            case .separated: return .separated
            case .inherited: return .inherited
            case .separatedWithoutSlices:
                var scheduling = TierScheduling.separated
                for tier in QoSTier.allCases { scheduling[tier]?.slice = nil }
                return scheduling
            }
        }
    }

    @main
    struct ShareBesideOthers: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The processor time of a pool beside another process, by how its tiers are scheduled.")

        @Option(help: "How often each contender is measured.")
        var rounds = 9
        @Option(help: "How long each measurement takes, in seconds.")
        var seconds = 2.0
        @Option(help: ArgumentHelp("Runs as one of the processes.", visibility: .private))
        var role: Contender?
        @Flag(help: ArgumentHelp("Runs as the other process.", visibility: .private))
        var spins = false

        func validate() throws {
            guard rounds > 0, seconds > 0, seconds <= 3_600 else {
                throw ValidationError("at least one round, of 0 to 3,600 seconds")
            }
        }

        func run() throws {
            if spins || role != nil {
                // A session of its own, which a leader of a group of processes cannot begin.
                setpgid(0, getpgid(getppid()))
                setsid()
            }
            if spins { keepProcessorsBusy() }
            if let role { return try measure(role) }
            let other = try start(["--spins"])
            defer { other.terminate() }
            var cores: [Contender: [Double]] = [:]
            for round in 0..<rounds {
                for contender in Contender.allCases.shuffled() {
                    FileHandle.standardError.write(Data("\rround \(round + 1) of \(rounds)".utf8))
                    let output = Pipe()
                    let process = try start(
                        ["--role", contender.rawValue, "--seconds", "\(seconds)"], output: output)
                    let text = String(
                        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    process.waitUntilExit()
                    guard let value = Double(text.trimmingCharacters(in: .newlines)) else {
                        throw ValidationError("\(contender.rawValue) printed no number: \(text)")
                    }
                    cores[contender, default: []].append(value)
                }
            }
            print("\nprocessors used, of \(ProcessInfo.processInfo.activeProcessorCount); median (quartiles)")
            for contender in Contender.allCases {
                let values = cores[contender, default: []].sorted()
                func quantile(_ part: Double) -> String {
                    String(format: "%.2f", values[Int(part * Double(values.count - 1))])
                }
                print("\(contender.rawValue): \(quantile(0.5)) (\(quantile(0.25))–\(quantile(0.75)))")
            }
        }

        /// Runs this program once more.
        private func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
            let process = Process()
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            if let output { process.standardOutput = output }
            try process.run()
            return process
        }

        private func keepProcessorsBusy() -> Never {
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                Thread.detachNewThread { while true {} }
            }
            let parent = getppid()
            while getppid() == parent { Thread.sleep(forTimeInterval: 0.1) }
            Foundation.exit(0)
        }

        private func measure(_ contender: Contender) throws {
            let pool = try WorkerQueuePool(
                label: contender.rawValue, workers: WorkerOptions(scheduling: contender.scheduling))
            for tier in [QoSTier.default, .background] {
                for _ in 0..<pool.queueCount(of: tier) {
                    compute(for: 0.001, again: true, in: pool.queue(for: tier))
                }
            }
            let urgent = pool.queue(for: .userInteractive)
            func time() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
            Thread.sleep(forTimeInterval: 0.1)
            let (start, used) = (ContinuousClock.now, time())
            while start.duration(to: .now) < .seconds(seconds) {
                compute(for: 0.002, again: false, in: urgent)
                Thread.sleep(forTimeInterval: 0.01)
            }
            let elapsed = start.duration(to: .now) / .seconds(1)
            print((time() - used) / elapsed)
        }
    }

    private func compute(for seconds: Double, again: Bool, in queue: WorkerQueue) {
        queue.enqueue {
            let end = threadTime() + seconds
            while threadTime() < end {}
            if again { compute(for: seconds, again: true, in: queue) }
        }
    }

    /// The processor time of the calling thread, in seconds.
    private func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
#else
    @main
    struct ShareBesideOthers {
        static func main() { print("ShareBesideOthers measures Linux's scheduler only.") }
    }
#endif
