#if os(Linux)
    /// Fills up the two cache lines that one word begins: x86 fetches lines in pairs.
    typealias LinePadding = InlineArray<15, UInt64>
#endif
