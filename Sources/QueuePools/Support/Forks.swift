#if os(Linux)
    import CQueuePoolsThreads
#endif

/// Whether this process was forked from one that had made a pool, whose threads remained there. Then pools
/// and queues refuse all submissions, before they lock anything. The child may call `exec` or `_exit`.
@inline(__always)
var isForkedChild: Bool {
    #if os(Linux)
        cqp_is_marked_child()
    #else
        false
    #endif
}

/// Marks each process that is forked from now on.
func markForkedChildren() {
    #if os(Linux)
        cqp_mark_children()
    #endif
}
