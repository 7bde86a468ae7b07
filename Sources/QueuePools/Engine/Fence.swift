#if os(Linux)
    import Synchronization

    /// A fence, by a name of the package's own: that of the model of memory knows its place in the source.
    @inline(__always)
    func sequentiallyConsistentFence() { atomicMemoryFence(ordering: .sequentiallyConsistent) }
#endif
