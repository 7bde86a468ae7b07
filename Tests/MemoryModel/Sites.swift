/// A place in the source where memory is accessed.
package struct Site: Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case load, store, update, fence, other
    }

    /// The file's name, without its module.
    package let file: String
    package let line: Int
    package let column: Int
    package let function: String
    package let operation: Operation
    package let ordering: Ordering
    /// That of a compare-and-exchange that fails.
    package let failure: Ordering
}

/// One site's ordering, weakened.
package struct Weakening: Hashable, Sendable {
    /// The site's file, line and column.
    package let file: String
    package let line: Int
    package let column: Int
    /// Whether it is the ordering of a failed compare-and-exchange.
    package let isFailure: Bool
    package let ordering: Ordering

    package init(file: String, line: Int, column: Int, isFailure: Bool, ordering: Ordering) {
        self.file = file
        self.line = line
        self.column = column
        self.isFailure = isFailure
        self.ordering = ordering
    }
}

/// The sites that an exploration has met, by numbers.
final class AccessedSites {
    private struct Key: Hashable {
        let file: UnsafeRawPointer
        let line: Int
        let column: Int
    }

    private struct Info {
        let site: Site
        let name: String
        /// The ordering that is executed, which may be weakened.
        var ordering: Ordering
        var failure: Ordering
        var isShared: Bool
        var isExplored = false
    }

    private let weakening: Weakening?
    private var numbers: [Key: Int] = [:]
    private var infos: [Info] = []
    /// The names of sites that are known to be shared: their file, line and column.
    private(set) var shared: Set<String>
    /// The sites that this execution has found to be shared.
    private var foundShared: [Int] = []

    init(weakening: Weakening?, shared: Set<String>) {
        self.weakening = weakening
        self.shared = shared
    }

    func beginExecution() { foundShared.removeAll(keepingCapacity: true) }

    /// A site's number.
    func number(
        _ file: StaticString, _ function: StaticString, _ line: Int, _ column: Int,
        _ operation: Site.Operation, _ ordering: Ordering, _ failure: Ordering, isExplored: Bool
    ) -> Int {
        let key = Key(file: file.utf8Start, line: line, column: column)
        let number = numbers[key] ?? infos.count
        if number == infos.count {
            numbers[key] = number
            let name = file.description.split(separator: "/").last.map(String.init) ?? ""
            add(
                Site(
                    file: name, line: line, column: column, function: function.description,
                    operation: operation, ordering: ordering, failure: failure))
        }
        if isExplored { infos[number].isExplored = true }
        return number
    }

    private func add(_ site: Site) {
        let name = "\(site.file):\(site.line):\(site.column)"
        var info = Info(
            site: site, name: name, ordering: site.ordering, failure: site.failure,
            isShared: shared.contains(name))
        if let weakening, weakening.file == site.file, weakening.line == site.line,
            weakening.column == site.column
        {
            if weakening.isFailure {
                info.failure = weakening.ordering
            } else {
                info.ordering = weakening.ordering
            }
        }
        infos.append(info)
    }

    func ordering(_ site: Int) -> Ordering { infos[site].ordering }
    func failure(_ site: Int) -> Ordering { infos[site].failure }
    func name(_ site: Int) -> String { infos[site].name }

    /// The accesses that were executed, with the orderings in the code, while the program was explored.
    var explored: Set<Site> { Set(infos.lazy.filter(\.isExplored).map(\.site)) }

    // MARK: Shared sites

    func isShared(_ site: Int) -> Bool { infos[site].isShared }

    /// Makes a site shared that calls the kernel, which is so before the first execution.
    func shareFromBeginning(_ site: Int) { infos[site].isShared = true }

    /// Notes that a site is shared.
    func share(_ site: Int) {
        guard !infos[site].isShared else { return }
        infos[site].isShared = true
        shared.insert(infos[site].name)
        foundShared.append(site)
    }

    /// Whether this execution has found that a site is shared, so that the exploration begins again.
    var hasFoundShared: Bool { !foundShared.isEmpty }

    /// As before this execution, so that it can be repeated as it was.
    func forgetFoundShared() {
        for site in foundShared { infos[site].isShared = false }
    }
}
