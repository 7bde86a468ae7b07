#if os(Linux)
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("The supervisor's table of delayed jobs", .timeLimit(.minutes(15)))
    struct DelayedJobHeapTests {
        @Test(
            "jobs are due by their times, then in the order of submission, whatever was taken out before",
            arguments: 0..<8)
        func heap(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let supervisor = Supervisor.required()
            let queues = try (0..<5).map { try WorkerQueue(withThread: "q\($0)") }
            var heap = DelayedJobHeap()
            // In the order in which they are due.
            var model: [(job: DelayedJob, queue: Int)] = []
            for _ in 0..<2_000 {
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<50:
                    let queue = Int.random(in: 0...5, using: &random)
                    let deadline = UInt64.random(in: 0..<50, using: &random)
                    let target = queue < 5 ? queues[queue].core : nil
                    let job = DelayedJob(of: target, at: deadline, by: supervisor) {}
                    heap.insert(job)
                    model.insert((job, queue), at: model.count { $0.job.deadline <= deadline })
                case 50..<75:
                    guard let place = model.indices.randomElement(using: &random) else { continue }
                    let job = model.remove(at: place).job
                    heap.remove(job)
                    heap.remove(job)
                case 75..<97:
                    let now = UInt64.random(in: 0..<20, using: &random)
                    let isDue = model.first.map { $0.job.deadline <= now } ?? false
                    let due = isDue ? model.removeFirst().job : nil
                    #expect(heap.takeDue(at: now) === due)
                default:
                    let (queue, now) = (Int.random(in: 0..<5, using: &random), UInt64(20))
                    let own = model.filter { $0.queue == queue }.map(\.job)
                    model.removeAll { $0.queue == queue }
                    let (due, rest) = heap.takeAll(of: queues[queue].group, at: now)
                    #expect(
                        due.map(ObjectIdentifier.init)
                            == own.filter { $0.deadline <= now }.map(ObjectIdentifier.init))
                    #expect(
                        Set(rest.map(ObjectIdentifier.init))
                            == Set(own.filter { $0.deadline > now }.map(ObjectIdentifier.init)))
                    for job in own { heap.remove(job) }
                }
                #expect(heap.nextDeadline == model.first?.job.deadline ?? .max)
            }
            for (job, _) in model { #expect(heap.takeDue(at: .max) === job) }
            #expect(heap.takeDue(at: .max) == nil)
        }
    }
#endif
