import AsyncLayers
import Testing
import QueuePoolsTransactions

@MainActor
@Suite("A host with a loop of its own", .timeLimit(.minutes(15)))
struct HostLoopTests {
    @Test("the host flushes once a frame, and what was committed since is done then")
    func flushOnceAFrame() {
        let transactions = TransactionQueue(driver: ManualTurnDriver())
        let label = Label(transactions: transactions)
        label.layer.displaysAsynchronously = false

        var frames: [String?] = []
        for frame in 1...3 {
            label.text = "key \(frame)"  // what an event of this frame changed
            frames.append(label.lines?.first)  // still the frame before
            transactions.flush()  // lays out …
            transactions.flush()  // … and draws what laying out has asked for
        }
        #expect(frames == [nil, "key 1     ", "key 2     "])
        #expect(label.lines == ["key 3     "])
        #expect(label.layoutCount == 3)
    }

    @Test("a host that sleeps between frames is woken by a commit, and shows the picture when it is there")
    func wakeUp() async {
        let (frames, frame) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let transactions = TransactionQueue(driver: ManualTurnDriver(wake: { frame.yield() }))
        let label = Label(transactions: transactions)
        let layer = label.layer
        label.text = "awake"

        for await _ in frames {
            transactions.flush()
            if label.layoutCount == 1 { break }
        }
        // The layer's own methods may be called from any thread; they too wake the host.
        Task.detached { layer.setNeedsDisplay() }
        while label.lines == nil {
            transactions.flush()
            await Task.yield()  // lets the main queue run, which brings pictures to the main actor
        }
        #expect(label.lines == ["awake     "])
    }
}
