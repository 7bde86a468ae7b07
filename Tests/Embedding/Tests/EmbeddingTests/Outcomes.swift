import AsyncLayers

/// The outcomes of a layer's passes, for code that waits for them.
@MainActor
final class Outcomes {
    private var unread: [DisplayOutcome] = []
    private var reader: CheckedContinuation<DisplayOutcome, Never>?

    func add(_ outcome: DisplayOutcome) {
        if let reader = reader.take() {
            reader.resume(returning: outcome)
        } else {
            unread.append(outcome)
        }
    }

    /// The next outcome, in words; waits until a pass has ended.
    func next() async -> String {
        await nextOutcome().description
    }

    private func nextOutcome() async -> DisplayOutcome {
        guard unread.isEmpty else { return unread.removeFirst() }
        return await withCheckedContinuation { reader = $0 }
    }
}
