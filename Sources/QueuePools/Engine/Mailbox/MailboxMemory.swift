#if os(Linux)
    import CLinuxThreads
    import Synchronization
    import Topology

    /// The memory of one mailbox: chunks of 512 KiB, of which pages are taken and to which they are returned, by any thread
    /// and without locks.
    ///
    /// A free page is *kept*, or *empty*: the kernel has its memory back. A page that is emptied and filled again costs some
    /// microseconds, so a mailbox keeps eight, and all mailboxes of the process keep 4 MiB beside these.
    ///
    /// Chunks are unmapped with the mailbox only, and no other mailbox uses them. So a thread with an old address of a
    /// slot reads valid memory, and what it finds there is another position's, or zero.
    ///
    /// **One owner a page.** A page is taken by clearing its bit, and only its owner sets that. Taking acquires and
    /// setting releases: the owners' accesses are in order, the kernel's included.
    struct MailboxMemory: ~Copyable {
        static let chunkByteCount = 512 << 10

        /// Begins a chunk, in its first page.
        private struct Chunk: ~Copyable {
            /// The address of the chunk that was made before, or 0.
            let next: UInt
            /// A bit for each page that is kept, and for each that is empty.
            let words: InlineArray<4, Atomic<UInt64>>
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

        /// - Parameter chunk: the first chunk; see ``allocateChunk(on:extraByteCount:)``.
        init(chunk: UnsafeMutableRawPointer, on node: CPUTopology.Node.ID?, refusals: RefusalCount?) {
            self.node = node
            self.refusals = refusals
            newest = Atomic(UInt(bitPattern: chunk))
            recent = Atomic(UInt(bitPattern: chunk))
            Self.initialize(chunk, next: 0)
        }

        static func allocateChunk(
            on node: CPUTopology.Node.ID?, refusals: RefusalCount?, extraByteCount: Int = 0
        ) -> UnsafeMutableRawPointer {
            let byteCount = chunkByteCount + extraByteCount
            let chunk = NodeMemory.allocate(byteCount: byteCount, alignment: chunkByteCount, on: node) {
                refusals?.increment()
            }
            clinux_leak_checker_add(chunk, byteCount)
            return chunk
        }

        static func free(_ chunk: UnsafeMutableRawPointer, extraByteCount: Int = 0) {
            clinux_leak_checker_remove(chunk, chunkByteCount + extraByteCount)
            NodeMemory.free(chunk, byteCount: chunkByteCount + extraByteCount)
        }

        private static func initialize(_ chunk: UnsafeMutableRawPointer, next: UInt) {
            chunk.bindMemory(to: Chunk.self, capacity: 1).initialize(
                to: Chunk(
                    next: next,
                    words: InlineArray { Atomic(kept.contains($0) ? 0 : $0 == empty.lowerBound ? ~1 : .max) })
            )
        }

        private static func chunk(at address: UInt) -> UnsafeMutablePointer<Chunk> {
            UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
        }

        /// Frees all chunks but the first, and returns that.
        func freeLaterChunks() -> UnsafeMutableRawPointer {
            _ = count(-keptCount.load(ordering: .relaxed))
            var address = newest.load(ordering: .acquiring)
            while true {
                let chunk = Self.chunk(at: address)
                Self.releaseContexts(of: address)
                address = chunk.pointee.next
                if address == 0 { return UnsafeMutableRawPointer(chunk) }
                Self.free(UnsafeMutableRawPointer(chunk))
            }
        }

        private static func releaseContexts(of chunk: UInt) {
            for index in Self.kept {
                let pages = Self.chunk(at: chunk).pointee.words[index].load(ordering: .acquiring)
                for number in 0..<64 where pages >> UInt64(number) & 1 != 0 {
                    let page = (index - Self.kept.lowerBound) * 64 + number
                    MailboxPage(address: chunk + UInt(page * MailboxPage.byteCount)).releaseContexts()
                }
            }
        }

        // MARK: Pages

        /// A page with old slots, or with zeros.
        func take() -> MailboxPage {
            if keptCount.load(ordering: .relaxed) > 0, let page = take(from: Self.kept) {
                _ = count(-1)
                return page
            }
            return takeEmpty()
        }

        func takeEmpty() -> MailboxPage {
            while true {
                let newest = newest.load(ordering: .acquiring)
                if let page = take(from: Self.empty) { return page }
                let chunk = Self.allocateChunk(on: node, refusals: refusals)
                Self.initialize(chunk, next: newest)
                let added = self.newest.compareExchange(
                    expected: newest, desired: UInt(bitPattern: chunk), ordering: .releasing)
                if !added.exchanged { Self.free(chunk) }
            }
        }

        private func take(from words: Range<Int>) -> MailboxPage? {
            // Acquires what the chunk begins with.
            let recent = recent.load(ordering: .acquiring)
            if let page = Self.take(from: words, of: recent) { return page }
            var chunk = newest.load(ordering: .acquiring)
            while chunk != 0 {
                if let page = Self.take(from: words, of: chunk) {
                    self.recent.store(chunk, ordering: .releasing)
                    return page
                }
                chunk = Self.chunk(at: chunk).pointee.next
            }
            return nil
        }

        private static func take(from words: Range<Int>, of address: UInt) -> MailboxPage? {
            let chunk = chunk(at: address)
            for index in words {
                var seen = chunk.pointee.words[index].load(ordering: .relaxed)
                while seen != 0 {
                    let lowest = seen & (0 &- seen)
                    seen = chunk.pointee.words[index].bitwiseAnd(~lowest, ordering: .acquiring).oldValue
                    guard seen & lowest != 0 else { continue }
                    let number = (index - words.lowerBound) * 64 + lowest.trailingZeroBitCount
                    return MailboxPage(address: address + UInt(number * MailboxPage.byteCount))
                }
            }
            return nil
        }

        /// Puts a page back.
        func put(_ page: MailboxPage) {
            let address = page.address & ~UInt(Self.chunkByteCount - 1)
            let number = Int(page.address - address) / MailboxPage.byteCount
            if recent.load(ordering: .relaxed) != address { recent.store(address, ordering: .releasing) }
            let total = count(1)
            let free = Self.chunk(at: address).pointee.words[Self.kept.lowerBound + number / 64]
                .bitwiseOr(1 << UInt64(number % 64), ordering: .releasing).newValue
            // Many at once, if it can be: the kernel interrupts all processors that run the process.
            if total > Self.processLimit * 3 / 4, free.nonzeroBitCount >= 32 || total > Self.processLimit {
                discard(number / 64, of: address)
            }
        }

        /// Empties the pages of a word.
        private func discard(_ index: Int, of address: UInt) {
            let chunk = Self.chunk(at: address)
            let pages = chunk.pointee.words[Self.kept.lowerBound + index].exchange(0, ordering: .acquiring)
            var rest = pages
            for number in 0..<64 where pages >> UInt64(number) & 1 != 0 {
                MailboxPage(address: address + UInt((index * 64 + number) * MailboxPage.byteCount))
                    .releaseContexts()
            }
            while rest != 0 {
                let first = rest.trailingZeroBitCount
                let length = (~(rest >> UInt64(first))).trailingZeroBitCount
                NodeMemory.discard(
                    UnsafeMutableRawPointer(chunk) + (index * 64 + first) * MailboxPage.byteCount,
                    byteCount: length * MailboxPage.byteCount)
                rest &= .max << UInt64(first + length)
            }
            chunk.pointee.words[Self.empty.lowerBound + index].bitwiseOr(pages, ordering: .releasing)
            _ = count(-pages.nonzeroBitCount)
        }

        // MARK: Counting kept pages

        private static let ownLimit = 8
        private static let processLimit = 1024
        /// How many pages beyond its limit each mailbox keeps, all together.
        private static let processCount = Atomic<Int>(0)

        /// Counts pages as kept, before they are, or no longer, afterwards. Relaxed: the counts guard nothing.
        ///
        /// - Returns: how many pages the process keeps beyond the mailboxes' limits; 0 if this mailbox is within its own.
        private func count(_ change: Int) -> Int {
            let (old, new) = keptCount.wrappingAdd(change, ordering: .relaxed)
            let (before, after) = (max(0, old - Self.ownLimit), max(0, new - Self.ownLimit))
            guard before != after else { return 0 }
            return Self.processCount.wrappingAdd(after - before, ordering: .relaxed).newValue
        }
    }
#endif
