#if os(Linux)
    /// The engine's files use these sizes of a mailbox's parts in place of their own: one slot or three a
    /// page, and one entry a table. It keeps eight free pages, as it ships; or none, so that the second is
    /// discarded, and the first with it.
    ///
    /// The variables are set before an execution; one thread of the process explores at a time.
    enum MailboxSizes {
        nonisolated(unsafe) private(set) static var page = 64
        static let table: UInt64 = 1
        static let directory: UInt64 = 64
        static var chunk: Int { page * 128 }
        /// Behind the directory: the first page is too small.
        static var control: Int { chunk + Int(directory) * MemoryLayout<UInt>.stride }

        nonisolated(unsafe) private(set) static var kept = 8
        static let keptByProcess = 1
        static let discardBegin = 0
        static let discardCount = 2

        /// Sets the sizes that differ between programs.
        static func set(slotCount: UInt64, kept: Int = 8) {
            (page, self.kept) = (slotCount == 1 ? 64 : 128, kept)
            precondition(MailboxPage.slotCount == slotCount)
        }
    }
#endif
