/// How an access orders those around it, in the words of `Synchronization`.
///
/// A load takes the acquiring half of an ordering only, a store the releasing half.
package enum Ordering: String, Hashable, Sendable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    /// The ordering of a failed compare-and-exchange, where one is given for both outcomes.
    package var ofFailure: Ordering {
        switch self {
        case .relaxed, .releasing: .relaxed
        case .acquiring, .acquiringAndReleasing: .acquiring
        case .sequentiallyConsistent: .sequentiallyConsistent
        }
    }

    /// The orderings that promise one thing less.
    package func weaker(for operation: Site.Operation) -> [Ordering] {
        switch (self, operation) {
        case (.relaxed, _): []
        case (.acquiring, _), (.releasing, _): [.relaxed]
        case (.acquiringAndReleasing, _): [.acquiring, .releasing]
        case (.sequentiallyConsistent, .load): [.acquiring]
        case (.sequentiallyConsistent, .store): [.releasing]
        case (.sequentiallyConsistent, _): [.acquiringAndReleasing]
        }
    }
}

#if os(Linux)
    import CMemoryModel

    extension Ordering {
        /// In the words of the memory.
        var code: Int32 {
            switch self {
            case .relaxed: Int32(memory_relaxed.rawValue)
            case .acquiring: Int32(memory_acquires.rawValue)
            case .releasing: Int32(memory_releases.rawValue)
            case .acquiringAndReleasing: Int32(memory_acquires.rawValue | memory_releases.rawValue)
            case .sequentiallyConsistent: Int32(memory_sequential.rawValue)
            }
        }
    }
#endif
