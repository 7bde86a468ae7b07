#if os(Linux)
    /// How large the parts of a mailbox are. In a file of its own, because the model of memory takes the
    /// mailbox as it is, but with small parts, so that a few jobs fill them.
    enum MailboxSizes {
        /// The bytes of a page of slots, which is also what the kernel gives and takes.
        static let page = 4096
        /// The entries of a table of segments, which is a page.
        static let table: UInt64 = 512
        static let directory: UInt64 = 1 << 15
        /// The bytes of 128 pages.
        static let chunk = 512 << 10
        /// Where the mailbox's own words lie: in the first chunk's first page.
        static let control = 1024
    }
#endif
