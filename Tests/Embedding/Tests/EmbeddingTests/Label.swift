import AsyncLayers
import QueuePools
import QueuePoolsTransactions

/// A view with a text, as a toolkit would write it: changes of its properties gather until the end of the
/// turn, then the layer draws off the main thread.
@MainActor
final class Label: AsyncLayerDelegate {
    let layer: AsyncLayer<CharacterRenderer>
    let outcomes = Outcomes()
    private(set) var layoutCount = 0

    /// What the label does instead of writing its text.
    var draw: DisplayTask<CharacterRenderer>.Draw?

    var text: String {
        didSet { setNeedsLayout() }
    }

    var indentation = 0 {
        didSet { setNeedsLayout() }
    }

    private let transactions: TransactionQueue

    convenience init(
        _ text: String = "", columns: Double = 10, pool: DispatchQueuePool = .shared,
        transactions: TransactionQueue = .main
    ) {
        self.init(text, columns: columns, host: DisplayHost(pool: pool, transactions: transactions))
    }

    init(_ text: String, columns: Double = 10, host: DisplayHost) {
        self.text = text
        transactions = host.transactions
        layer = AsyncLayer(renderer: CharacterRenderer(), host: host)
        layer.size = Size(width: columns, height: 1)
        layer.delegate = self
    }

    /// What the layer shows.
    var lines: [String]? { layer.contents?.lines }

    func displayTask(for layer: AsyncLayer<CharacterRenderer>) -> DisplayTask<CharacterRenderer>? {
        // The closure runs on another thread: it captures values, never the view.
        let write: DisplayTask<CharacterRenderer>.Draw = { [text, indentation] canvas, _ in
            canvas.write(text, column: indentation)
        }
        return DisplayTask(onEnd: { [outcomes] in outcomes.add($0) }, draw: draw ?? write)
    }

    private func setNeedsLayout() {
        Transaction(self, "layout") { label in
            label.layoutCount += 1
            label.layer.setNeedsDisplay()
        }.commit(to: transactions)
    }
}
