/// Something that must hold on the machine, named by a sentence.
struct Check {
    let name: String
    let body: (inout Findings) throws -> Void

    init(_ name: String, _ body: @escaping (inout Findings) throws -> Void) {
        self.name = name
        self.body = body
    }
}

/// What a check found wrong.
struct Findings {
    private(set) var complaints: [String] = []
    private(set) var comparisons = 0

    mutating func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) {
        comparisons += 1
        if !condition { complaints.append(complaint()) }
    }

    mutating func expect<Value: Equatable>(
        _ subject: @autoclosure () -> String, _ value: Value, is expected: Value
    ) {
        expect(value == expected, "\(subject()) is \(value), not \(expected)")
    }
}

extension [Check] {
    /// Runs the checks one after the other and prints what came of each, in the Test Anything Protocol.
    ///
    /// The plan comes first: if the program ends early, fewer results than planned tell.
    ///
    /// - Returns: whether all hold.
    func run() -> Bool {
        printLine("1..\(count)")
        var allHold = true
        for (number, check) in zip(1..., self) {
            var findings = Findings()
            var complaints: [String] = []
            do {
                try check.body(&findings)
                if findings.comparisons == 0 { complaints = ["it compared nothing"] }
            } catch {
                complaints = ["it threw \(error)"]
            }
            complaints += findings.complaints
            printLine("\(complaints.isEmpty ? "ok" : "not ok") \(number) - \(check.name)")
            for complaint in complaints.prefix(20) { printLine("#   \(complaint)") }
            if complaints.count > 20 { printLine("#   and \(complaints.count - 20) more") }
            if !complaints.isEmpty { allHold = false }
        }
        return allHold
    }
}
