#if os(Linux)
    /// How large the parts of a mailbox are, and how many pages it keeps. In a file of its own, because the
    /// model of memory takes the mailbox as it is, but with small numbers, which a few jobs reach.
    enum MailboxSizes {
        /// The bytes of a page of slots, which is also the kernel's unit.
        static let page = 4096
        /// The entries of a table of segments, which is a page.
        static let table: UInt64 = 512
        static let directory: UInt64 = 1 << 15
        /// The bytes of 128 pages.
        static let chunk = 512 << 10
        /// Where the mailbox's own words lie: in the first chunk's first page.
        static let control = 1024

        /// How many free pages each mailbox keeps.
        static let kept = 8
        /// How many all mailboxes together keep beyond that: 4 MiB.
        static let keptByProcess = 1024
        /// Beyond this number, they are returned to the system where so many can be at once.
        static let discardBegin = keptByProcess * 3 / 4
        static let discardCount = 32
    }
#endif
