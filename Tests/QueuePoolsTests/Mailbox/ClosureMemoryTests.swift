#if os(Linux)
    import CAllocations
    import Testing
    import TestSupport

    @testable import QueuePools

    @Suite("The memory of closures", .timeLimit(.minutes(15)))
    struct ClosureMemoryTests {
        @Test("memory is kept only if the runtime is seen to permit it")
        func selfCheck() {
            #expect(ClosureContexts.canBeKept)
            #expect(!ClosureContexts.areKept(by: { _ in false }, until: { _ in }))
            // Takes what is no box for one.
            #expect(!ClosureContexts.areKept(by: { _ in true }, until: { _ in }))
            // A sanitizer does not use blocks again soon.
            guard allocations_bytes() > 0 else { return }
            // An allocator may use other free blocks of the size first: glibc keeps seven for each thread,
            // and takes seven more from a list when it has none left.
            for count in 0...8 {
                let (object, other) = (Counter(), Counter())
                func makeClosures(_ count: Int) -> [(UInt, UInt)] {
                    (0..<count).map { _ in Closure { precondition(object !== other) }.intoWords() }
                }
                for words in makeClosures(32) { _ = Closure(owned: words) }
                let blocks = makeClosures(count)
                defer { for words in blocks { _ = Closure(owned: words) } }
                var looks = 0
                let isFooled = ClosureContexts.areKept(
                    by: { _ in
                        looks += 1
                        return looks.isMultiple(of: 2)
                    }, until: { _ in })
                #expect(!isFooled, "a runtime that frees the block is not noticed")
            }
        }

        @Test("the memory of closures that ran is kept for the next sender, and freed with the mailbox")
        func kept() async {
            await #expect(processExitsWith: .success) {
                Mailbox.warmUp()
                let before = Int(allocations_bytes())
                let mailbox = Mailbox(isAnnounced: true)
                for number in 0..<10_000 { mailbox.sendAndRun(Closure { precondition(number >= 0) }) }
                let kept = Int(allocations_bytes()) - before
                precondition(before == 0 || (64 * 32..<4 * 127 * 48).contains(kept), "kept \(kept) bytes")
                mailbox.claimedReceiver.destroy()
                let left = Int(allocations_bytes()) - before
                precondition(left < 64 * 32, "left \(left) bytes")
            }
        }

        @Test("the memory of closures is freed with the contents of pages that a mailbox returns")
        func discarded() async {
            await #expect(processExitsWith: .success) {
                Mailbox.warmUp()
                let before = Int(allocations_bytes())
                let mailbox = Mailbox(isAnnounced: true)
                // Short of the length beyond which no memory is kept, and of what a process keeps.
                for _ in 0..<3 {
                    for number in 0..<30_000 { mailbox.send(Closure { precondition(number >= 0) }) }
                    mailbox.runAll()
                    for _ in 0..<200_000 { mailbox.send(Closure {}) }
                    mailbox.runAll()
                }
                let kept = Int(allocations_bytes()) - before
                precondition(kept < 4 << 20, "kept \(kept) bytes")
                mailbox.claimedReceiver.destroy()
                let left = Int(allocations_bytes()) - before
                precondition(left < 64 << 10, "left \(left) bytes")
            }
        }

        @Test("what a closure captured dies when its job ends, though the closure's memory is kept")
        func captures() {
            let mailbox = Mailbox(isAnnounced: true)
            weak var captured: Counter?
            for _ in 0..<3 {
                let counter = Counter()
                captured = counter
                mailbox.sendAndRun(
                    Closure { [counter, number = counter.value] in precondition(counter.value == number) })
                #expect(captured != nil, "held by the test itself")
                withExtendedLifetime(counter) {}
            }
            #expect(captured == nil)
            mailbox.claimedReceiver.destroy()
        }

        @Test("a closure that is nothing but the object it captures, large or static, keeps no memory")
        func objects() async {
            await #expect(processExitsWith: .success) {
                let mailbox = Mailbox(isAnnounced: true)
                mailbox.sendAndRun(Closure {})
                let before = Int(allocations_bytes())
                for _ in 0..<100 {
                    let bytes = [UInt8](repeating: 1, count: 1 << 20)
                    mailbox.sendAndRun(Closure { use(bytes) })
                    let none: [UInt8] = []
                    mailbox.sendAndRun(Closure { use(none) })
                }
                let kept = Int(allocations_bytes()) - before
                precondition(kept < 100 * 128, "kept \(kept) bytes")
                mailbox.claimedReceiver.destroy()
            }
        }
    }

    @inline(never)
    private func use(_ bytes: [UInt8]) { precondition(bytes.isEmpty || bytes[0] == 1) }

    extension Mailbox {
        fileprivate func send(_ closure: consuming Closure) {
            send(.closure, closure.intoWords())?.passOn()
        }

        /// So that what is allocated once is not counted.
        fileprivate static func warmUp() {
            let mailbox = Mailbox(isAnnounced: true)
            for number in 0..<1_000 { mailbox.sendAndRun(Closure { precondition(number >= 0) }) }
            mailbox.claimedReceiver.destroy()
        }

        fileprivate func runAll() {
            let receiver = claimedReceiver
            while let message = receiver.take() { message.run() }
            receiver.passOn()
        }

        fileprivate func sendAndRun(_ closure: consuming Closure) {
            send(closure)
            runAll()
        }
    }
#endif
