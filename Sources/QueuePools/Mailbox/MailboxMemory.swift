#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization
    import QueuePoolsTopology

    /// The memory of one mailbox: chunks of 512 KiB, whose pages any thread takes and puts back, lock-free.
    ///
    /// A free page is *kept*, or *empty*: the kernel has its memory back. A page that is emptied and filled
    /// again costs some microseconds, so a mailbox keeps eight, and all mailboxes together another 4 MiB.
    ///
    /// Chunks are unmapped with the mailbox only, and no other mailbox uses them. So a thread with an old
    /// address of a slot reads valid memory, which holds another position's state, or zero.
    ///
    /// **One owner a page.** A page is taken by clearing its bit, and only its owner sets that. Taking
    /// acquires and setting releases: the owners' accesses are in order, the kernel's included.
    struct MailboxMemory: ~Copyable {
        /// 128 pages. The first begins with the chunk's own words, and is never taken.
        private struct Chunk {
            struct Header: ~Copyable {
                /// The address of the chunk that was made before, or 0.
                let next: UInt
                /// A bit for each page that is kept, and for each that is empty.
                let words: InlineArray<4, Atomic<UInt64>>
            }

            let address: UInt

            var start: UnsafeMutableRawPointer { .init(bitPattern: address).unsafelyUnwrapped }
            var header: UnsafeMutablePointer<Header> { start.assumingMemoryBound(to: Header.self) }

            func initialize(next: UInt) {
                let words = InlineArray<4, Atomic<UInt64>> {
                    Atomic(kept.contains($0) ? 0 : $0 == empty.lowerBound ? ~1 : .max)
                }
                start.bindMemory(to: Header.self, capacity: 1).initialize(
                    to: Header(next: next, words: words))
            }

            func page(_ number: Int) -> MailboxPage {
                MailboxPage(address: address + UInt(number * MailboxPage.byteCount))
            }

            /// Takes the first page of which one of these words has a bit.
            func take(from words: Range<Int>) -> MailboxPage? {
                for index in words {
                    var seen = header.pointee.words[index].load(ordering: .relaxed)
                    while seen != 0 {
                        let lowest = seen & (0 &- seen)
                        seen = header.pointee.words[index].bitwiseAnd(~lowest, ordering: .acquiring).oldValue
                        guard seen & lowest != 0 else { continue }
                        return page((index - words.lowerBound) * 64 + lowest.trailingZeroBitCount)
                    }
                }
                return nil
            }

            /// Frees the memory of contexts in kept pages, which nothing else uses.
            func releaseContexts(in pages: UInt64, of word: Int) {
                for number in 0..<64 where pages >> UInt64(number) & 1 != 0 {
                    page(word * 64 + number).releaseContexts()
                }
            }
        }
        private static let kept = 0..<2
        private static let empty = 2..<4

        private let node: CPUTopology.Node.ID?
        private let refusals: RefusalCount?
        /// The chunk that was made last.
        private let newest: Atomic<UInt>
        /// A chunk that probably has free pages.
        private let recent: Atomic<UInt>
        /// How many pages are kept, or a few more.
        private let keptCount = Atomic<Int>(0)

        /// - Parameter chunk: the first chunk; see ``allocateChunk(on:refusals:extraByteCount:)``.
        init(chunk: UnsafeMutableRawPointer, on node: CPUTopology.Node.ID?, refusals: RefusalCount?) {
            self.node = node
            self.refusals = refusals
            newest = Atomic(UInt(bitPattern: chunk))
            recent = Atomic(UInt(bitPattern: chunk))
            Chunk(address: UInt(bitPattern: chunk)).initialize(next: 0)
        }

        static func allocateChunk(
            on node: CPUTopology.Node.ID?, refusals: RefusalCount?, extraByteCount: Int = 0
        ) -> UnsafeMutableRawPointer {
            let byteCount = MailboxSizes.chunk + extraByteCount
            let chunk = NodeMemory.allocate(byteCount: byteCount, alignment: MailboxSizes.chunk, on: node) {
                refusals?.increment()
            }
            cqp_leak_checker_add(chunk, byteCount)
            return chunk
        }

        static func free(_ chunk: UnsafeMutableRawPointer, extraByteCount: Int = 0) {
            cqp_leak_checker_remove(chunk, MailboxSizes.chunk + extraByteCount)
            NodeMemory.free(chunk, byteCount: MailboxSizes.chunk + extraByteCount)
        }

        /// Frees all chunks but the first, and returns that. Relaxed, because the mailbox's last reference
        /// orders all writes here.
        func freeLaterChunks() -> UnsafeMutableRawPointer {
            _ = count(-keptCount.load(ordering: .relaxed))
            var chunk = Chunk(address: newest.load(ordering: .relaxed))
            while true {
                for index in Self.kept {
                    chunk.releaseContexts(
                        in: chunk.header.pointee.words[index].load(ordering: .relaxed), of: index)
                }
                let next = chunk.header.pointee.next
                if next == 0 { return chunk.start }
                Self.free(chunk.start)
                chunk = Chunk(address: next)
            }
        }

        /// A page with old slots, or with zeros.
        func take() -> MailboxPage {
            guard keptCount.load(ordering: .relaxed) > 0, let page = take(from: Self.kept) else {
                return takeEmpty()
            }
            _ = count(-1)
            return page
        }

        func takeEmpty() -> MailboxPage {
            while true {
                // Relaxed: the exchange continues the release sequence of the chunk before.
                let newest = newest.load(ordering: .relaxed)
                if let page = take(from: Self.empty) { return page }
                let chunk = Self.allocateChunk(on: node, refusals: refusals)
                Chunk(address: UInt(bitPattern: chunk)).initialize(next: newest)
                let added = self.newest.compareExchange(
                    expected: newest, desired: UInt(bitPattern: chunk), ordering: .releasing)
                if !added.exchanged { Self.free(chunk) }
            }
        }

        private func take(from words: Range<Int>) -> MailboxPage? {
            // Acquires the chunk's first words.
            if let page = Chunk(address: recent.load(ordering: .acquiring)).take(from: words) { return page }
            var address = newest.load(ordering: .acquiring)
            while address != 0 {
                let chunk = Chunk(address: address)
                if let page = chunk.take(from: words) {
                    recent.store(address, ordering: .releasing)
                    return page
                }
                address = chunk.header.pointee.next
            }
            return nil
        }

        func put(_ page: MailboxPage) {
            let chunk = Chunk(address: page.address & ~UInt(MailboxSizes.chunk - 1))
            let number = Int(page.address - chunk.address) / MailboxPage.byteCount
            if recent.load(ordering: .relaxed) != chunk.address {
                recent.store(chunk.address, ordering: .releasing)
            }
            let total = count(1)
            let free = chunk.header.pointee.words[Self.kept.lowerBound + number / 64]
                .bitwiseOr(1 << UInt64(number % 64), ordering: .releasing).newValue
            // Many at once where possible, because the kernel interrupts all processors that run the process.
            if total > MailboxSizes.discardBegin,
                free.nonzeroBitCount >= MailboxSizes.discardCount || total > MailboxSizes.keptByProcess
            {
                discard(number / 64, of: chunk)
            }
        }

        /// Returns the memory of a word's kept pages to the system.
        private func discard(_ index: Int, of chunk: Chunk) {
            let pages = chunk.header.pointee.words[Self.kept.lowerBound + index]
                .exchange(0, ordering: .acquiring)
            chunk.releaseContexts(in: pages, of: index)
            var rest = pages
            while rest != 0 {
                let first = rest.trailingZeroBitCount
                let length = (~(rest >> UInt64(first))).trailingZeroBitCount
                NodeMemory.discard(
                    chunk.start + (index * 64 + first) * MailboxPage.byteCount,
                    byteCount: length * MailboxPage.byteCount)
                rest &= .max << UInt64(first + length)
            }
            chunk.header.pointee.words[Self.empty.lowerBound + index].bitwiseOr(pages, ordering: .releasing)
            _ = count(-pages.nonzeroBitCount)
        }

        /// How many pages beyond its limit each mailbox keeps, all together.
        private static let processCount = Atomic<Int>(0)

        /// Counts pages as kept before they are put back, and no longer as kept after they were taken.
        /// Relaxed: it guards nothing. Returns how many pages the process keeps beyond the limits; 0 if this
        /// mailbox is within its own.
        private func count(_ change: Int) -> Int {
            let (old, new) = keptCount.wrappingAdd(change, ordering: .relaxed)
            let (before, after) = (max(0, old - MailboxSizes.kept), max(0, new - MailboxSizes.kept))
            guard before != after else { return 0 }
            return Self.processCount.wrappingAdd(after - before, ordering: .relaxed).newValue
        }
    }

#endif
