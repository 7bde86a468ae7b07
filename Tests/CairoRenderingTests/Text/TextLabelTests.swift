#if Cairo
    import AsyncLayers
    import QueuePools
    import TestSupport
    import Testing
    import QueuePoolsTransactions

    @testable import CairoRendering

    @MainActor
    @Suite("A label", .timeLimit(.minutes(15)))
    struct TextLabelTests {
        private let transactions = TransactionQueue(driver: ManualTurnDriver())
        private let label: TextLabel
        private let layouts = LayoutCache<TextContent, TextLayout> { _, layout in layout.byteCount }

        init() {
            var text = RichText("Ask ")
            text.append("@anna", mark: .mention("anna"))
            text.append(" or read ")
            text.append("the manual", mark: .link("manual"))
            label = TextLabel(text, host: DisplayHost(transactions: transactions), layouts: layouts)
            label.layer.size = Size(width: 300, height: 40)
        }

        private func settle() async throws {
            transactions.flush()
            try await label.layer.displayed()
        }

        /// One pass only; what it asks for in turn is not waited for.
        private func showNext() async {
            var outcomes = label.layer.outcomes().makeAsyncIterator()
            transactions.flush()
            _ = await outcomes.next()
        }

        private func center(of index: Int) throws -> Point {
            let rect = try #require(label.shownLayout?.marks[index].rects.first)
            return Point(x: rect.minX + rect.size.width / 2, y: rect.minY + rect.size.height / 2)
        }

        @Test("it shows its text, and what it shows tells what a point means")
        func shows() async throws {
            #expect(label.mark(at: Point(x: 40, y: 10)) == nil)
            label.layer.setNeedsDisplay()
            try await settle()
            let picture = try #require(label.layer.contents)
            #expect(picture.allPixels.contains { $0 >> 24 > 200 })
            #expect(label.mark(at: try center(of: 0))?.mark == .mention("anna"))
            #expect(label.mark(at: try center(of: 1))?.mark == .link("manual"))
            #expect(label.mark(at: Point(x: 1, y: 10)) == nil)
        }

        @Test("a text beyond its bounds fails the pass with the error, and what was shown stays")
        func boundExceeded() async throws {
            label.layer.setNeedsDisplay()
            try await settle()
            let shown = try #require(label.layer.contents)
            label.text = RichText("e" + String(repeating: "\u{301}", count: 20_000))
            var outcomes = label.layer.outcomes().makeAsyncIterator()
            transactions.flush()
            guard case .failed(let error) = await outcomes.next() else {
                Issue.record("the pass did not fail")
                return
            }
            #expect((error as? TextLayoutError)?.code == .clusterLength)
            #expect(label.layer.contents === shown)
            await #expect(throws: TextLayoutError.self) { try await label.layout(width: 300) }
        }

        @Test(
            "a pressed range is highlighted while the pointer is in it, and tapped where it is released in it"
        )
        func pressing() async throws {
            label.layer.setNeedsDisplay()
            try await settle()
            let plain = try #require(label.layer.contents)
            let tapped = Recorder<TextMark>()
            label.onTap = { tapped.append($0.mark) }
            let (anna, manual) = (try center(of: 0), try center(of: 1))

            label.highlightColor = Color(red: 0, green: 0, blue: 1)
            #expect(!plain.allPixels.contains(0xFF00_00FF))
            #expect(label.press(at: anna))
            try await settle()
            #expect(label.layer.contents?.allPixels.contains(0xFF00_00FF) == true)
            label.movePress(to: manual)
            #expect(label.highlighted == nil)
            try await settle()
            #expect(label.layer.contents?.allPixels == plain.allPixels)
            label.movePress(to: anna)
            #expect(label.highlighted?.mark == .mention("anna"))
            label.release(at: anna)
            #expect(tapped.elements == [.mention("anna")])
            #expect(label.highlighted == nil)

            label.press(at: anna)
            label.release(at: manual)
            #expect(!label.press(at: Point(x: 1, y: 10)))
            label.release(at: anna)
            label.press(at: manual)
            label.cancelPress()
            label.release(at: manual)
            #expect(tapped.elements == [.mention("anna")])
        }

        @Test("a new text is drawn once, ends a press, and is not what a point means until it is shown")
        func newText() async throws {
            label.layer.setNeedsDisplay()
            try await settle()
            let anna = try center(of: 0)
            label.press(at: anna)
            label.text = RichText("Nothing to press here")
            label.options.lineLimit = 1
            #expect(label.highlighted == nil)
            #expect(label.mark(at: anna)?.mark == .mention("anna"))
            try await settle()
            #expect(label.mark(at: anna) == nil)
            #expect(layouts.statistics.misses == 2)
        }

        @Test(
            "a press on what is still shown of an old text ends when the new text is, and opens none of its links"
        )
        func pressBeforeNewText() async throws {
            label.layer.setNeedsDisplay()
            try await settle()
            let tapped = Recorder<TextMark>()
            label.onTap = { tapped.append($0.mark) }
            let anna = try center(of: 0)
            var text = RichText("Ask ")
            text.append("@anne", mark: .mention("anne"))
            label.text = text
            #expect(label.press(at: anna))
            #expect(label.highlighted?.mark == .mention("anna"))
            await showNext()
            #expect(label.mark(at: anna)?.mark == .mention("anne"))
            #expect(label.highlighted == nil)
            label.movePress(to: anna)
            #expect(label.highlighted == nil)
            label.release(at: anna)
            #expect(tapped.elements == [])

            label.press(at: anna)
            label.release(at: anna)
            #expect(tapped.elements == [.mention("anne")])
        }

        @Test("a new text is not drawn with a highlight of the old one's")
        func highlightBeforeNewText() async throws {
            label.layer.setNeedsDisplay()
            try await settle()
            let anna = try center(of: 0)
            var text = RichText("Ask ")
            text.append("@anne", mark: .mention("anne"))
            label.text = text
            label.press(at: anna)
            await showNext()
            let first = try #require(label.layer.contents)
            label.cancelPress()
            label.layer.setNeedsDisplay()
            try await settle()
            #expect(first.allPixels == label.layer.contents?.allPixels)
        }

        @Test("its layout in a width is made once, off the main thread, and found again by the drawing")
        func measuring() async throws {
            let layout = try await label.layout(width: 300)
            #expect(layout.lineCount == 1)
            #expect(try await label.layout(width: 60).lineCount > 2)
            label.layer.setNeedsDisplay()
            try await settle()
            #expect(label.shownLayout === layout)
        }

        @Test("a task that is cancelled stops waiting for a layout, and leaves no job in the pool")
        func cancelledMeasuring() async throws {
            let pool = try DefaultQueuePool(
                QueuePoolOptions(
                    label: "measuring", queuesPerTier: .exactly(1), capacity: [.userInitiated: 2]))
            let gate = Gate()
            let label = TextLabel(RichText("text"), host: DisplayHost(pool: pool), layouts: layouts)
            try pool.async(qos: .userInitiated) { gate.pass() }
            await gate.waitForArrivals()
            let measurings = (0..<2).map { _ in Task { try await label.layout(width: 300) } }
            await waitWhile(pool.statistics[.userInitiated].waiting < 2)
            await #expect(throws: PoolError.self) { try await label.layout(width: 300) }
            for measuring in measurings { measuring.cancel() }
            for measuring in measurings {
                await #expect(throws: CancellationError.self) { try await measuring.value }
            }
            #expect(pool.statistics[.userInitiated].waiting == 0)
            let before = pool.statistics[.userInitiated].submitted
            let late = Task {
                await waitWhile(!Task.isCancelled)
                _ = try await label.layout(width: 300)
            }
            late.cancel()
            await #expect(throws: CancellationError.self) { try await late.value }
            #expect(pool.statistics[.userInitiated].submitted == before)
            gate.open()
            try await pool.shutdown()
            #expect(layouts.cached(for: TextContent(text: label.text), width: 300) == nil)
        }

        @Test("a pool that drops a layout at its shutdown lets the task know")
        func droppedMeasuring() async throws {
            let (pool, gate) = (try DefaultQueuePool(label: "measuring", queuesPerTier: .exactly(1)), Gate())
            let label = TextLabel(RichText("text"), host: DisplayHost(pool: pool), layouts: layouts)
            try pool.async(qos: .userInitiated) { gate.pass() }
            let measuring = Task { try await label.layout(width: 300) }
            await waitWhile(pool.statistics[.userInitiated].submitted < 2)
            async let end = pool.hasShutDown(waitingJobs: .cancel)
            await waitWhile((try? pool.async(qos: .userInitiated) {}) != nil)
            gate.open()
            await #expect(throws: CancellationError.self) { try await measuring.value }
            _ = await end
            await #expect(throws: PoolError.self) { try await label.layout(width: 300) }
        }
    }
#endif
