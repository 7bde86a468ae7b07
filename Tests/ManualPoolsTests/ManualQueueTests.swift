import Dispatch
import ManualPools
import QueuePools
import TestSupport
import Testing

@Suite("A queue that a test drives by hand", .timeLimit(.minutes(15)))
struct ManualQueueTests {
    private let log = Recorder<Int>()

    @Test("jobs wait, then run in order, also those that jobs add")
    func order() {
        let queue = ManualQueue()
        queue.enqueue { [log] in
            log.append(1)
            queue.enqueue { log.append(3) }
        }
        queue.enqueue { [log] in log.append(2) }
        #expect(queue.waitingCount == 2)
        #expect(log.elements.isEmpty)
        #expect(queue.runNext())
        #expect(queue.waitingCount == 2)
        #expect(queue.runAll() == 2)
        #expect(log.elements == [1, 2, 3])
        #expect(!queue.runNext())
    }

    @Test("a job can drive another queue, and not its own, which remains serial")
    func serial() {
        let (queue, other) = (ManualQueue(), ManualQueue())
        queue.enqueue { [log] in
            #expect(!queue.runNext())
            #expect(other.runNext())
            log.append(2)
        }
        queue.enqueue { [log] in log.append(3) }
        other.enqueue { [log] in
            #expect(queue.runAll() == 0)
            log.append(1)
        }
        #expect(queue.runAll() == 2)
        #expect(log.elements == [1, 2, 3])
    }

    @Test("a queue is current in its jobs, on their thread, also around another queue's")
    func current() async {
        let (queue, other) = (ManualQueue(), ManualQueue())
        let end = Gate()
        other.enqueue { #expect(queue.isCurrent && other.isCurrent) }
        queue.enqueue {
            #expect(queue.isCurrent)
            #expect(!other.isCurrent)
            other.runAll()
            #expect(queue.isCurrent)
            #expect(!other.isCurrent)
            end.pass()
        }
        #expect(!queue.isCurrent)
        let thread = DispatchQueue(label: "thread")
        thread.async { queue.runAll() }
        await end.waitForArrivals()
        #expect(!queue.isCurrent, "it is on another thread")
        queue.enqueue {}
        #expect(!queue.runNext(), "one of its jobs runs on another thread")
        end.open()
        await waitWhile(queue.waitingCount > 0)
        thread.sync {}
        #expect(!queue.isCurrent)
    }

    @Test("what was captured is released when its job has run, or with the queue")
    func release() {
        let released = Counter()
        func add(to queue: ManualQueue) {
            for _ in 0..<2 {
                let probe = LifetimeProbe { released.increment() }
                queue.enqueue { [probe] in probe.touch() }
            }
        }
        func use() {
            let queue = ManualQueue(label: "q", qos: .utility)
            #expect(queue.label == "q")
            #expect(queue.qos == .utility)
            add(to: queue)
            #expect(released.value == 0)
            queue.runNext()
            #expect(released.value == 1)
        }
        use()
        #expect(released.value == 2)
    }

    @Test("any number of threads add and run jobs: each runs once, one at a time")
    func threads() {
        let queue = ManualQueue()
        let (running, overlaps, ran) = (Counter(), Counter(), Counter())
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<500 {
                queue.enqueue {
                    if running.increment() > 1 { overlaps.increment() }
                    ran.increment()
                    running.decrement()
                }
                queue.runNext()
            }
        }
        queue.runAll()
        #expect(ran.value == 2_000)
        #expect(overlaps.value == 0)
    }
}
