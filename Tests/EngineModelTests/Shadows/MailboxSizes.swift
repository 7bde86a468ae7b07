#if os(Linux)
    /// What the engine's files take for how large the parts of a mailbox are: one slot or three a page.
    enum MailboxSizes {
        nonisolated(unsafe) static var page = 64
        nonisolated(unsafe) static var table: UInt64 = 1
        static let directory: UInt64 = 64
        static var chunk: Int { page * 128 }
        /// Behind the directory: the first page is too small.
        static var control: Int { chunk + Int(directory) * MemoryLayout<UInt>.stride }
    }
#endif
