#if os(Linux)
    import CQueuePoolsThreads
#endif

/// Whether this process was forked from one that had made a pool, whose threads remained there. Then pools
/// and queues refuse what is submitted, before they lock anything. The child may call `exec` or `_exit`.
@inline(__always)
var isForkedChild: Bool {
    #if os(Linux)
        cqp_is_marked_child()
    #else
        false
    #endif
}

/// Has processes that are forked from now on know it.
func markForkedChildren() {
    #if os(Linux)
        cqp_mark_children()
    #endif
}
