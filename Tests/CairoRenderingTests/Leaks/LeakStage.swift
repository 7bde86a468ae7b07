#if Cairo
    import AsyncLayers
    import CairoRendering
    import QueuePools
    import TestSupport
    import QueuePoolsTransactions

    /// Layers of every kind, in a host of their own, invalidated again and again; nothing of it is left when
    /// a run is over but what the libraries keep for the process.
    @MainActor
    final class LeakStage {
        struct Tally {
            var committed = 0
            var superseded = 0
            var failed = 0
            var ended: Int { committed + superseded + failed }
        }

        private struct Refusal: Error {}

        private let transactions = TransactionQueue(driver: ManualTurnDriver())
        private let host: DisplayHost
        private var painters: [Painter] = []
        private var tally = Tally()

        /// Runs passes until so many have ended, then releases everything.
        static func run(passes: Int) async throws -> Tally {
            let pool = try WorkerQueuePool(label: "leaks", queuesPerTier: .exactly(2))
            let stage = LeakStage(pool: pool, file: try ImageFiles.png(noise(24, 16)))
            while stage.tally.ended < passes { try await stage.turn() }
            try await stage.settle()
            let tally = stage.tally
            stage.painters = []
            try await pool.shutdown()
            return tally
        }

        private init(pool: WorkerQueuePool, file: [UInt8]) {
            host = DisplayHost(pool: pool, transactions: transactions)
            for number in 0..<12 { painters.append(makePainter(number, file)) }
        }

        /// Every third turn does not wait for what it has asked for: newer requests overtake it.
        private func turn() async throws {
            for painter in painters { painter.layer.setNeedsDisplay() }
            transactions.flush()
            if turns.isMultiple(of: 3) { await Task.yield() } else { try await settle() }
            turns += 1
        }
        private var turns = 0

        private func settle() async throws {
            for painter in painters { try? await painter.layer.displayed() }
        }

        private func makePainter(_ number: Int, _ file: [UInt8]) -> Painter {
            let painter = Painter(host: host) { [unowned self] in ended($0) }
            switch number % 4 {
            case 0: painter.draw = Self.drawText
            case 1: painter.draw = { try Self.drawImage(file, $0, $1) }
            case 2:
                painter.draw = { context, scope in
                    try Self.drawText(context, scope)
                    throw Refusal()
                }
            default:
                let size = painter.layer.size
                var part = Composition<CairoRenderer>.Part(key: number, size: size) {
                    try Self.drawImage(file, $0, $1)
                }
                part.placement.opacity = 0.5
                part.placement.transform = .rotation(0.3)
                painter.composition = Composition([.init(size: size, draw: Self.drawText), part])
            }
            return painter
        }

        private func ended(_ outcome: DisplayOutcome) {
            switch outcome {
            case .committed: tally.committed += 1
            case .superseded, .cancelled: tally.superseded += 1
            case .failed: tally.failed += 1
            }
        }

        private nonisolated static func drawText(_ context: CairoContext, _ scope: DrawScope) throws {
            var text = RichText("Ask ", style: TextStyle(weight: .bold))
            text.append("@anna", mark: .mention("anna"))
            text.append(" ‏שלום عالم 東京 and further, until it must be cut", style: TextStyle(color: .black))
            var options = TextLayoutOptions()
            options.lineLimit = 2
            let layout = try TextLayout(text, width: scope.size.width, options: options)
            try scope.checkCancellation()
            context.draw(layout, highlighted: 0, highlight: .black)
            try context.check()
        }

        private nonisolated static func drawImage(
            _ file: [UInt8], _ context: CairoContext, _ scope: DrawScope
        ) throws {
            let image = try ImageDecoder().decode(file)
                .resized(to: Size(width: 20, height: 20), cornerRadius: 4)
                .withShadow(radius: 2)
            try context.draw(image, in: scope.bounds, cornerRadius: 3)
            // A file that ends too early, refused in the midst of it.
            do {
                _ = try ImageDecoder().decode(Array(file.dropLast(40)))
            } catch {}
        }
    }

    /// A layer and what it draws.
    @MainActor
    private final class Painter: AsyncLayerDelegate {
        let layer: AsyncLayer<CairoRenderer>
        var draw: DisplayTask<CairoRenderer>.Draw?
        var composition: Composition<CairoRenderer>?
        private let ended: @MainActor @Sendable (DisplayOutcome) -> Void

        init(host: DisplayHost, ended: @escaping @MainActor @Sendable (DisplayOutcome) -> Void) {
            layer = AsyncLayer(renderer: CairoRenderer(), host: host)
            self.ended = ended
            layer.size = Size(width: 90, height: 30)
            layer.delegate = self
        }

        func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
            if let composition { return DisplayTask(composition: composition, onEnd: ended) }
            return DisplayTask(onEnd: ended, draw: draw)
        }
    }
#endif
