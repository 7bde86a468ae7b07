/// How an access orders those around it, in the words of `Synchronization`.
///
/// A load takes the acquiring half of an ordering only, a store the releasing half.
enum Ordering: Hashable, Sendable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self != .relaxed && self != .releasing }
    var releases: Bool { self != .relaxed && self != .acquiring }

    /// What a failed compare-and-exchange has, where one ordering is given for both outcomes.
    var ofFailure: Ordering {
        switch self {
        case .relaxed, .releasing: .relaxed
        case .acquiring, .acquiringAndReleasing: .acquiring
        case .sequentiallyConsistent: .sequentiallyConsistent
        }
    }

    /// The orderings that promise one thing less.
    var weaker: [Ordering] {
        switch self {
        case .relaxed: []
        case .acquiring, .releasing: [.relaxed]
        case .acquiringAndReleasing: [.acquiring, .releasing]
        case .sequentiallyConsistent: [.acquiringAndReleasing]
        }
    }
}

/// The accesses of an algorithm whose ordering matters, each with the ordering that the code gives it.
protocol OrderingSite: CaseIterable, Hashable, Sendable {
    var ordering: Ordering { get }
}

/// The orderings of an algorithm's sites, all as in the code or one of them weakened.
struct Orderings<Site: OrderingSite>: Sendable {
    struct Weakening: Hashable, Sendable, CustomStringConvertible {
        let site: Site
        let ordering: Ordering
        var description: String { "\(site) only \(ordering)" }
    }

    var weakening: Weakening?

    subscript(site: Site) -> Ordering {
        if let weakening, weakening.site == site { weakening.ordering } else { site.ordering }
    }

    /// Each way to weaken one site by one step.
    static var weakenings: [Weakening] {
        Site.allCases.flatMap { site in
            site.ordering.weaker.map { Weakening(site: site, ordering: $0) }
        }
    }
}
