/// CPU lists as Linux prints them: `0-3,5,7-8`.
enum CPUList {
    /// The CPUs in ascending order without duplicates, or nil where the text is not a CPU list, is empty, or
    /// names a CPU that cannot exist. Blanks and line ends around the list are allowed.
    static func parse(_ text: String) -> [Int]? {
        var cpus: Set<Int> = []
        let list = text.trimmingBlanks()
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map(number)
            guard bounds.count <= 2, let first = bounds[0], let last = bounds[bounds.count - 1], first <= last
            else { return nil }
            cpus.formUnion(first...last)
        }
        return cpus.sorted()
    }

    private static func number(_ digits: Substring) -> Int? {
        // Int alone would take a leading "+".
        guard digits.first != "+", let number = Int(digits),
            (0..<CPUTopology.maximumCPUCount).contains(number)
        else { return nil }
        return number
    }
}
