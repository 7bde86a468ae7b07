#if os(Linux)
    internal import CQueuePoolsThreads
    import MemoryModel

    /// The threads' calls of one mailbox, for programs that try it by itself: pages have one slot or three,
    /// tables one entry.
    final class MailboxStage: @unchecked Sendable {  // one thread runs at a time
        let mailbox: Mailbox
        private let explorer: Explorer
        /// Whether the mailbox has no receiver and may have jobs.
        private let ready = Atomic<Bool>(false)
        /// By position, where a canceller finds a job.
        private var places: [UInt64: JobPlace] = [:]
        private let placed: [Atomic<Bool>.Reference]
        private(set) var received: [UInt64] = []
        private(set) var cancelled: [UInt64] = []

        /// - Parameters:
        ///   - published: how many jobs were sent before.
        ///   - kept: how many free pages the mailbox keeps.
        init(_ execution: Execution, slotCount: UInt64, published: UInt64 = 0, kept: Int = 8) {
            MailboxSizes.set(slotCount: slotCount, kept: kept)
            explorer = execution.explorer
            placed = (0..<8).map { _ in Atomic<Bool>.Reference(false) }
            JobContext.reset()
            mailbox = Mailbox(isAnnounced: true)
            for _ in 0..<published { send() }
        }

        /// A job has the number of its position, and a context by which the mailbox can know its memory.
        func send() {
            let position = mailbox.takePosition().position
            let published = mailbox.publish(
                .cancellable, (UInt(position) + 1, JobContext.address(position)), at: position)
            places[position] = published.place
            if let receiver = published.receiver {
                receiver.passOn()
                ready.store(true, ordering: .releasing)
            }
            placed[Int(position)].value.store(true, ordering: .releasing)
        }

        /// Receives whenever the mailbox is ready, until so many positions have been passed.
        func receive(until end: UInt64) {
            while true {
                while !ready.load(ordering: .relaxed) || !ready.exchange(false, ordering: .acquiring) {
                    explorer.yield()
                }
                var role: MailboxReceiver? = mailbox.claimedReceiver
                while let receiver = role.take() {
                    guard receiver.nextPosition < end else {
                        receiver.passOn()
                        break
                    }
                    if let message = receiver.take() {
                        received.append(number(message.intoParts().words))
                        role = consume receiver
                    } else {
                        role = receiver.announceIdle()
                    }
                }
                if mailbox.nextPosition >= end {
                    // For other receivers, which end as well.
                    ready.store(true, ordering: .releasing)
                    return
                }
            }
        }

        func cancel(_ position: UInt64) {
            while !placed[Int(position)].value.load(ordering: .acquiring) { explorer.yield() }
            guard let closure = mailbox.cancel(places[position].unsafelyUnwrapped) else { return }
            cancelled.append(number(closure.intoWords()))
        }

        private func number(_ words: (UInt, UInt)) -> UInt64 {
            guard words.0 > 0, words.1 == JobContext.address(UInt64(words.0) - 1) else {
                explorer.fail("a job has the words \(words)")
                return 0
            }
            return UInt64(words.0) - 1
        }

        /// Describes the fault unless all jobs up to a position were received; otherwise nil.
        func problem(received end: UInt64) -> String? {
            let all = (received + cancelled).sorted()
            return all.count >= end && all == Array(0..<UInt64(all.count)) && received == received.sorted()
                ? nil : "received \(received), cancelled \(cancelled)"
        }
    }

    extension Atomic {
        /// An atomic of its own.
        final class Reference {
            let value: Atomic<Value>
            init(_ value: consuming Value) { self.value = Atomic(value) }
        }
    }

    /// The contexts of the jobs' closures: objects that are never released, and of which a mailbox may keep
    /// the memory.
    enum JobContext {
        private final class Object {}
        private nonisolated(unsafe) static let objects: [Unmanaged<Object>] = (0..<16).map { _ in
            let object = Unmanaged.passRetained(Object())
            for _ in 0..<1_000_000 { _ = object.retain() }
            return object
        }
        private nonisolated(unsafe) static var isKept: Set<UInt> = []

        static func address(_ position: UInt64) -> UInt {
            UInt(bitPattern: objects[Int(position)].toOpaque())
        }

        static func reset() { isKept = [] }

        static func keep(_ context: UInt) -> Bool {
            guard objects.contains(where: { UInt(bitPattern: $0.toOpaque()) == context }) else {
                // Only when the process finds out whether blocks can be kept: else it depends on their sizes.
                return Explorer.running == nil && CQueuePoolsThreads.cqp_context_keep(context)
            }
            if !isKept.insert(context).inserted { Explorer.active?.fail("a context is kept twice") }
            return true
        }

        static func release(_ context: UInt) {
            if !objects.contains(where: { UInt(bitPattern: $0.toOpaque()) == context }) {
                CQueuePoolsThreads.cqp_context_release(context)
            } else if isKept.remove(context) == nil {
                Explorer.active?.fail("a context is released that is not kept")
            }
        }
    }

    func cqp_context_keep(_ context: UInt) -> Bool { JobContext.keep(context) }
    func cqp_context_release(_ context: UInt) { JobContext.release(context) }

    extension ModelProgram {
        static let mailbox: [ModelProgram] = [
            ModelProgram("two send") { execution in
                let stage = MailboxStage(execution, slotCount: 3)
                execution.thread("sender 1") { stage.send() }
                execution.thread("sender 2") { stage.send() }
                execution.thread("receiver") { stage.receive(until: 2) }
                execution.check { stage.problem(received: 2) }
            },
            ModelProgram("two jobs") { execution in
                let stage = MailboxStage(execution, slotCount: 1)
                execution.thread("sender") {
                    stage.send()
                    stage.send()
                }
                execution.thread("receiver") { stage.receive(until: 2) }
                execution.check { stage.problem(received: 2) }
            },
            ModelProgram("two receive") { execution in
                let stage = MailboxStage(execution, slotCount: 3, published: 1)
                execution.thread("sender") { stage.send() }
                execution.thread("receiver 1") { stage.receive(until: 2) }
                execution.thread("receiver 2") { stage.receive(until: 2) }
                execution.check { stage.problem(received: 2) }
            },
            ModelProgram("both attach") { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 1)
                execution.thread("sender") { stage.send() }
                execution.thread("receiver") { stage.receive(until: 2) }
                execution.check { stage.problem(received: 2) }
            },
            ModelProgram("one cancels") { execution in
                let stage = MailboxStage(execution, slotCount: 3)
                execution.thread("sender") { stage.send() }
                execution.thread("receiver") { stage.receive(until: 1) }
                execution.thread("canceller") { stage.cancel(0) }
                execution.check { stage.problem(received: 1) }
            },
            ModelProgram("one cancels, and the slot is used again") { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 2)
                execution.thread("receiver") {
                    stage.receive(until: 1)
                    stage.send()
                }
                execution.thread("canceller") { stage.cancel(0) }
                execution.check { stage.problem(received: 1) }
            },
            ModelProgram("a cancelled page is used again") { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 2)
                execution.thread("canceller") { stage.cancel(1) }
                execution.thread("sender") { stage.send() }
                execution.check { stage.cancelled == [1] ? nil : "cancelled \(stage.cancelled)" }
            },
            ModelProgram("a cancelled segment is passed", preemptions: 2) { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 2)
                execution.thread("canceller") {
                    stage.cancel(1)
                    stage.send()
                }
                execution.thread("receiver") { stage.receive(until: 2) }
                execution.check { stage.problem(received: 2) }
            },
            ModelProgram("two cancel one page") { execution in
                let stage = MailboxStage(execution, slotCount: 3, published: 6)
                stage.cancel(5)
                execution.thread("canceller 1") { stage.cancel(3) }
                execution.thread("canceller 2") {
                    stage.cancel(4)
                    stage.send()
                }
                execution.check {
                    stage.cancelled.sorted() == [3, 4, 5] ? nil : "cancelled \(stage.cancelled)"
                }
            },
            ModelProgram("a page is put back while two attach", preemptions: 1) { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 1)
                execution.thread("receiver") { stage.receive(until: 3) }
                execution.thread("sender") {
                    stage.send()
                    stage.send()
                }
                execution.check { stage.problem(received: 3) }
            },
            ModelProgram("cancelled pages are discarded, and one is used again") { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 3, kept: 0)
                execution.thread("canceller") { stage.cancel(1) }
                execution.thread("sender") {
                    stage.cancel(2)
                    stage.send()
                }
                execution.check {
                    stage.cancelled.sorted() == [1, 2] ? nil : "cancelled \(stage.cancelled)"
                }
            },
            ModelProgram("a chunk is added") { execution in
                let stage = MailboxStage(execution, slotCount: 1, published: 1)
                for _ in 0..<124 { _ = stage.mailbox.control.pointee.memory.takeEmpty() }
                execution.thread("sender 1") { stage.send() }
                execution.thread("sender 2") { stage.send() }
                execution.check { nil }
            },
            ModelProgram("pages of two chunks are put back") { execution in
                let control = MailboxStage(execution, slotCount: 1).mailbox.control
                let pages = (0..<125).map { _ in control.pointee.memory.takeEmpty() }
                execution.thread("thread 1") {
                    let page = control.pointee.memory.takeEmpty()
                    control.pointee.memory.put(pages[0])
                    control.pointee.memory.put(page)
                }
                execution.thread("thread 2") { _ = control.pointee.memory.take() }
                execution.check { nil }
            },
        ]
    }
#endif
