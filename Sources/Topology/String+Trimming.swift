extension String {
    /// Without blanks, tabs and line ends at both ends. (Foundation's way would link Foundation.)
    func trimmingBlanks() -> Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
