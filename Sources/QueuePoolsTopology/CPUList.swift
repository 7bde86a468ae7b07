/// CPU lists as Linux prints them: `0-3,5,7-8`.
enum CPUList {
    /// The CPUs in ascending order, or nil if the text is not a CPU list, is empty, or names a CPU that
    /// cannot exist or is not above those before it. Blanks and line ends around the list are allowed.
    ///
    /// The kernel's lists are ascending, so none names more CPUs than there can be, however long the text is.
    static func parse(_ text: String) -> [Int]? {
        var cpus: [Int] = []
        let list = text.trimmingBlanks()
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map(number)
            guard bounds.count <= 2, let first = bounds[0], let last = bounds[bounds.count - 1],
                first <= last,
                first > cpus.last ?? -1
            else { return nil }
            cpus.append(contentsOf: first...last)
        }
        return cpus
    }

    private static func number(_ digits: Substring) -> Int? {
        // Int alone would accept a leading "+".
        guard digits.first != "+", let number = Int(digits),
            (0..<CPUTopology.maximumCPUCount).contains(number)
        else { return nil }
        return number
    }
}

extension String {
    /// Without blanks, tabs and line ends at both ends. (Foundation's function would link Foundation.)
    func trimmingBlanks() -> Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
