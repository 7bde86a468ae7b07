extension Machine {
    static let usage = """
        usage: NUMAChecks --cpus LIST/… --memory MIB/… [--distances N,…/…] [--processors N]
                          [--memory-nodes LIST]

        Checks what topology and pools do on the machine that the options describe, a slash between its
        nodes. Prints the results in the Test Anything Protocol: a plan, then a line for each check.

          --cpus          the CPUs of each node that this process may use: "0-1/2,5//"
          --memory        the MiB of memory of each node
          --distances     the distances from each node to all nodes; without it, 10 to itself, 20 to others
          --processors    how many CPUs' worth of time the process may use; without it, as many as CPUs
          --memory-nodes  the nodes whose memory the process may use; without it, all that have memory
        """

    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads the options that ``usage`` names.
    init(arguments: some Sequence<String>) throws(UsageError) {
        var values: [String: String] = [:]
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            guard ["--cpus", "--memory", "--distances", "--processors", "--memory-nodes"].contains(option)
            else { throw UsageError(description: "unknown option \(option)") }
            guard let value = arguments.next() else {
                throw UsageError(description: "\(option) needs a value")
            }
            values[option] = value
        }
        guard let cpus = values["--cpus"], let memory = values["--memory"] else {
            throw UsageError(description: "--cpus and --memory are needed")
        }
        try self.init(cpus: Self.perNode(cpus), memory: Self.perNode(memory), values: values)
    }

    private init(cpus: [Substring], memory: [Substring], values: [String: String]) throws(UsageError) {
        guard cpus.count == memory.count else {
            throw UsageError(description: "--cpus and --memory are about different numbers of nodes")
        }
        nodes = []
        for id in cpus.indices {
            let node = Node(
                id: id, cpus: Set(try Self.list(cpus[id])), memoryMiB: try Self.number(memory[id]),
                distances: cpus.indices.map { $0 == id ? 10 : 20 })
            nodes.append(node)
        }
        processors = nodes.map(\.cpus.count).reduce(0, +)
        guard processors > 0 else { throw UsageError(description: "--cpus names no CPU") }
        memoryNodes = nodes.filter { $0.memoryMiB > 0 }.map(\.id)

        if let distances = values["--distances"] { try readDistances(distances) }
        if let text = values["--processors"] { processors = try Self.number(text[...]) }
        if let text = values["--memory-nodes"] { memoryNodes = try Self.list(text[...]) }
        guard memoryNodes.allSatisfy(nodes.indices.contains) else {
            throw UsageError(description: "--memory-nodes names a node that is not there")
        }
    }

    private mutating func readDistances(_ text: String) throws(UsageError) {
        let rows = Self.perNode(text).map { $0.split(separator: ",") }
        guard rows.count == nodes.count, rows.allSatisfy({ $0.count == nodes.count }) else {
            throw UsageError(description: "--distances needs \(nodes.count) rows of \(nodes.count) numbers")
        }
        for (id, row) in rows.enumerated() {
            for (other, distance) in row.enumerated() {
                nodes[id].distances[other] = try Self.number(distance)
            }
        }
    }

    private static func perNode(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// "0-1,5": a list as Linux writes it; nothing at all is an empty list.
    private static func list(_ text: Substring) throws(UsageError) -> [Int] {
        var numbers: [Int] = []
        for part in text.split(separator: ",") {
            let bounds = part.split(separator: "-", maxSplits: 1)
            let (first, last) = (try number(bounds[0]), try number(bounds[bounds.count - 1]))
            guard first <= last else { throw UsageError(description: "\"\(part)\" is no range") }
            numbers += first...last
        }
        return numbers
    }

    private static func number(_ text: Substring) throws(UsageError) -> Int {
        guard let number = Int(text), (0...65_536).contains(number) else {
            throw UsageError(description: "\"\(text)\" is not a number that belongs here")
        }
        return number
    }
}
