/// Pairs the marks of emphasis, so that `*` in "2 * 3" stays and in "*so*" goes.
struct EmphasisMarks {
    private struct Run {
        var mark: Unicode.Scalar
        var remaining: Range<Int>
        var canOpen: Bool
        var canClose: Bool
    }

    private var runs: [Run] = []

    /// Adds a run of equal marks that stands at a place of the output, with its neighbours in the source.
    mutating func add(
        _ mark: Unicode.Scalar, at start: Int, length: Int, before: Unicode.Scalar?, after: Unicode.Scalar?
    ) {
        // Inside a word an underscore is part of a name.
        let isName = mark == "_"
        runs.append(
            Run(
                mark: mark, remaining: start..<start + length,
                canOpen: !isSpace(after) && !(isName && isWord(before)),
                canClose: !isSpace(before) && !(isName && isWord(after))))
    }

    /// The output without the marks that found a partner. Each step uses up an opening run or the closing
    /// one, so the time is linear.
    func removed(from output: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard !runs.isEmpty else { return output }
        var keep = [Bool](repeating: true, count: output.count)
        var open: [Unicode.Scalar: [Run]] = [:]
        for var run in runs {
            while run.canClose, !run.remaining.isEmpty, var opener = open[run.mark]?.popLast() {
                let count = min(opener.remaining.count, run.remaining.count)
                for index in opener.remaining.suffix(count) { keep[index] = false }
                for index in run.remaining.prefix(count) { keep[index] = false }
                opener.remaining = opener.remaining.dropLast(count)
                run.remaining = run.remaining.dropFirst(count)
                if !opener.remaining.isEmpty { open[run.mark]!.append(opener) }
            }
            if run.canOpen, !run.remaining.isEmpty { open[run.mark, default: []].append(run) }
        }
        return output.indices.lazy.filter { keep[$0] }.map { output[$0] }
    }

    private func isSpace(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.isWhitespace ?? true
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
