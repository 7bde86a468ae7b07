/// Where a contender's threads come from. What one contender does to threads that it shares, the next one
/// feels.
package enum ThreadSource: Hashable, Sendable {
    /// Threads of its own.
    case own
    /// Dispatch's threads for serial queues.
    case dispatchSerial
    /// Dispatch's threads for concurrent queues, which Swift's tasks use as well.
    case dispatchConcurrent
}
