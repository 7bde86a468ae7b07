import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

#if os(Linux)
    /// Layers that draw what a ``LayoutCache`` has, on two worker threads.
    @MainActor
    @Suite("A layer whose layout takes long", .timeLimit(.minutes(15)))
    struct LayoutInFlightTests {
        private let gate = Gate()
        private let pool: WorkerQueuePool
        private let layouts: LayoutCache<String, String>
        private let empty = Source { _, _ in }
        /// Draws a layout, which is held at the gate while it is made.
        private let text: Source

        init() throws {
            pool = try WorkerQueuePool(.init(label: "layouts", queuesPerTier: .exactly(2)))
            layouts = LayoutCache(pool: pool) { _, _ in 1 }
            text = Source { [gate, layouts] context, scope in
                let layout = try layouts.layout(for: "text", width: 4, isCancelled: { scope.isCancelled }) {
                    _ in
                    gate.pass()
                    return "a layout"
                }
                context.commands.append(layout)
            }
        }

        private func makeLayer(_ source: Source, _ host: DisplayHost) -> AsyncLayer<RecordingRenderer> {
            let layer = AsyncLayer(renderer: RecordingRenderer(), host: host)
            layer.size = Size(width: 4, height: 4)
            layer.delegate = source
            return layer
        }

        /// thread 1: makes the layout, held at the gate     thread 2: draws the others
        ///
        /// The second pass of the layer, which needs the same layout, must not wait for it on thread 2.
        @Test("and that is displayed again leaves the other worker to other layers")
        func displayedAgain() async throws {
            let host = DisplayHost(pool: pool)
            let layer = makeLayer(text, host)
            layer.display()
            await gate.waitForArrivals()
            layer.display()
            let others = (0..<4).map { _ in makeLayer(empty, host) }
            for other in others { other.display() }
            for other in others { try await other.displayed() }
            #expect(others.allSatisfy { $0.contents != nil })
            #expect(layer.contents == nil)
            gate.open()
            try await layer.displayed()
            #expect(layer.contents?.commands == ["a layout"])
            #expect(layouts.statistics.misses == 1)
            try await pool.shutdown()
        }

        /// thread 1: makes the layout, held at the gate     thread 2: waits for it, for another layer
        @Test("does not keep the thread of another layer that no longer needs it")
        func cancelled() async throws {
            let host = DisplayHost(pool: pool)
            let layers = [text, text, empty].map { makeLayer($0, host) }
            layers[0].display()
            await gate.waitForArrivals()
            layers[1].display()
            await waitWhile(layouts.statistics.waits == 0)
            layers[2].display()
            layers[1].cancelDisplay()
            try await layers[2].displayed()
            #expect(layers[2].contents != nil)
            gate.open()
            try await layers[0].displayed()
            try await pool.shutdown()
        }
    }

    private final class Source: AsyncLayerDelegate {
        private let draw: DisplayTask<RecordingRenderer>.Draw

        init(draw: @escaping DisplayTask<RecordingRenderer>.Draw) { self.draw = draw }

        func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
            DisplayTask(draw: draw)
        }
    }
#endif
