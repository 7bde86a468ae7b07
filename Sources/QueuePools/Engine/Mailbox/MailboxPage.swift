#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// A page of memory with the slots of one segment, while a segment has it.
    struct MailboxPage {
        static let byteCount = 4096
        /// The first slot's place is the claim's.
        static let slotCount = UInt64(byteCount / MemoryLayout<MailboxSlot>.stride) - 1

        let address: UInt

        init(address: UInt) { self.address = address }

        /// The page that a slot lies in.
        init(of slot: UnsafeMutablePointer<MailboxSlot>) {
            address = UInt(bitPattern: slot) & ~UInt(Self.byteCount - 1)
        }

        @inline(__always)
        private var slots: UnsafeMutablePointer<MailboxSlot> { .init(bitPattern: address).unsafelyUnwrapped }

        @inline(__always)
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot> {
            slots + Int(truncatingIfNeeded: 1 + position % Self.slotCount)
        }

        // MARK: Contexts

        /// Whether slots may have contexts of closures left in them.
        var keepsContexts: Bool {
            get { contextMark.pointee.load(ordering: .relaxed) != 0 }
            nonmutating set { contextMark.pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
        }

        private var contextMark: UnsafeMutablePointer<Atomic<UInt64>> { claim + 1 }

        /// Frees the memory of contexts that were left. For the page's only holder.
        func releaseContexts() {
            guard keepsContexts else { return }
            keepsContexts = false
            for index in 1...Int(Self.slotCount) {
                slots[index].releaseContext()
                slots[index].first.store(1, ordering: .relaxed)
            }
        }

        // MARK: Claiming

        /// Whose page it is: the number of its segment above eight bits. These are one more than the count of the
        /// segment's cancelled jobs, until the receiver begins the segment. In a page that has become a table they are none
        /// of these numbers.
        private var claim: UnsafeMutablePointer<Atomic<UInt64>> {
            UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
        }
        private static let open: ClosedRange<UInt64> = 1...slotCount
        private static let received: UInt64 = 255

        /// For the page's only holder, which publishes it afterwards.
        func assign(to segment: UInt64) { claim.pointee.store(segment << 8 | 1, ordering: .relaxed) }

        /// Keeps cancellers from taking the page. False if they have taken it, because all jobs are cancelled.
        func claimForReceiver(segment: UInt64) -> Bool { change(segment) { $0 | Self.received } != nil }

        /// Counts a cancelled job. True if it was the segment's last: then the page belongs to the caller.
        ///
        /// The canceller has given up its slot, so the receiver may have passed, and the page may be another segment's: then
        /// the number is another, for numbers are not used again, and nothing is counted.
        func countCancelled(segment: UInt64) -> Bool {
            change(segment) { $0 + 1 }.map { $0 & 255 == Self.slotCount } ?? false
        }

        /// Changes the claim while it is the segment's and open. Acquires and releases, so that what other cancellers did
        /// in the page comes before what its new owner does. Returns the claim before.
        private func change(_ segment: UInt64, _ changed: (UInt64) -> UInt64) -> UInt64? {
            var seen = claim.pointee.load(ordering: .relaxed)
            while seen >> 8 == segment, Self.open.contains(seen & 255) {
                let exchange = claim.pointee.weakCompareExchange(
                    expected: seen, desired: changed(seen), successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed)
                if exchange.exchanged { return seen }
                seen = exchange.original
            }
            return nil
        }
    }

    /// The place of one job: 32 bytes, so that two share a cache line and none straddles one.
    struct MailboxSlot: ~Copyable {
        /// A position, plus one, and what is there. Positions never repeat, so what a slot held before is recognised
        /// as old, and nothing has to be cleared when a page is used again. Zero is no position's: what the kernel has
        /// taken away and provided again.
        struct State: RawRepresentable, AtomicRepresentable {
            let rawValue: UInt64

            @inline(__always)
            init(rawValue: UInt64) { self.rawValue = rawValue }

            @inline(__always)
            init(_ kind: Message.Kind, at position: UInt64) {
                rawValue = (position + 1) << Message.Kind.bitCount | UInt64(kind.rawValue)
            }

            @inline(__always)
            var position: UInt64 { rawValue >> Message.Kind.bitCount &- 1 }

            @inline(__always)
            var isEmpty: Bool { rawValue == 0 }

            @inline(__always)
            var kind: Message.Kind {
                unsafeBitCast(UInt8(truncatingIfNeeded: rawValue & 15), to: Message.Kind.self)
            }
        }

        let state: Atomic<State>

        // Ordered by `state`. Atomic nevertheless: a canceller that comes too late reads what is not for it.
        let first: Atomic<UInt>
        let second: Atomic<UInt>
        let sentAt: Atomic<UInt64>

        @inline(__always)
        var words: (UInt, UInt) { (first.load(ordering: .relaxed), second.load(ordering: .relaxed)) }

        /// Leaves the context of a closure that was read, so that the slot's next sender frees its memory: see ``Mailbox``.
        @inline(__always)
        func keepContext(_ context: UInt) {
            if context != 0, clinux_context_keep(context) { first.store(0, ordering: .relaxed) }
        }

        /// Frees the memory of a context that was left.
        @inline(__always)
        func releaseContext() {
            guard first.load(ordering: .relaxed) == 0 else { return }
            let context = second.load(ordering: .relaxed)
            if context != 0 { clinux_context_release(context) }
        }

        func stamp() { sentAt.store(clinux_monotonic_nanoseconds(), ordering: .relaxed) }
    }

    /// What a sender puts into a mailbox: two words, and how to read them.
    struct Message {
        enum Kind: UInt8 {
            /// Not a message: the queue is idle until there is one here.
            case awaited
            /// Not a message any more: cancelled or refused.
            case skipped
            /// A closure.
            case closure
            /// A closure that can be taken back.
            case cancellable
            /// A closure that serves the queue itself, and is not counted as a job.
            case control
            /// A call of `sync`: the address of its ``SyncCall``.
            case call
            /// A step of a task or an actor whose executor is the queue: the job, and the `WorkerQueue`.
            case queueStep
            /// A step of a task on a pool's tier: the job, and the `PoolTaskExecutor`.
            case taskStep
            /// A step of an actor on a pool's queue: the job, and the `PoolSerialExecutor`.
            case actorStep

            /// How many bits a kind takes.
            static let bitCount: UInt64 = 4

            var isClosure: Bool { self == .closure || self == .cancellable || self == .control }
        }

        let kind: Kind
        let first: UInt
        let second: UInt
        var words: (UInt, UInt) { (first, second) }
        /// When it was sent, if that is measured.
        let sentAt: UInt64?

        /// The words of a step of a task or an actor.
        @inline(__always)
        static func words(of step: UnownedJob, on executor: AnyObject) -> (UInt, UInt) {
            let address = UInt(bitPattern: Unmanaged.passUnretained(executor).toOpaque())
            return (unsafeBitCast(step, to: UInt.self), address)
        }

        /// Runs the step of a task or an actor, or the closure, that it holds.
        @inline(__always)
        func run() {
            switch kind {
            case .queueStep: runStep(on: WorkerQueue.self)
            case .taskStep: runStep(on: PoolTaskExecutor<WorkerQueue>.self)
            case .actorStep: runStep(on: PoolSerialExecutor<WorkerQueue>.self)
            case .call: SyncCall.callBody(of: self)
            default: runClosure()
            }
        }

        /// A function of its own, so that the closure's captures are gone before the job counts as finished.
        @inline(never)
        private func runClosure() { Closure(owned: words).body() }

        /// The executor is alive as long as it has steps to run, because tasks and actors hold theirs.
        private func runStep<Executor: StepExecutor>(on _: Executor.Type) {
            let address = UnsafeRawPointer(bitPattern: second).unsafelyUnwrapped
            let step = unsafeBitCast(first, to: UnownedJob.self)
            Unmanaged<Executor>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.run(step) }
        }
    }

    /// An executor whose steps the engine runs.
    protocol StepExecutor: AnyObject {
        func run(_ step: UnownedJob)
    }
#endif
