#if Cairo
    public import AsyncLayers
    import QueuePoolsLocks
    import QueuePools

    /// A text that is laid out and drawn off the main thread, whose links and mentions can be pressed.
    ///
    ///     let label = TextLabel(text)
    ///     label.layer.size = Size(width: 320, height: 60)
    ///     label.onTap = { open($0.mark) }
    ///     // pointer events, in the layer's points:
    ///     label.press(at: point); label.movePress(to: point); label.release(at: point)
    ///
    /// A point is looked up in the layout on the screen, not in one that is being drawn. The idea is that of
    /// the labels over CoreText (2010 and later), which recorded the rectangles of the ranges that they
    /// highlight. *Main-actor isolated.*
    @MainActor
    public final class TextLabel {
        /// What shows the text, as wide as its bounds; what does not fit its height is cut off. A text that
        /// exceeds its bounds makes a pass fail with ``TextLayoutError``.
        public let layer: AsyncLayer<CairoRenderer>

        /// What is shown. A change displays at the end of the turn, and ends a press; a press also ends when
        /// the new text appears, if its links or mentions differ.
        public var text: RichText {
            didSet { if text != oldValue { contentChanged() } }
        }

        /// How it becomes lines. A change displays at the end of the turn, and ends a press.
        public var options: TextLayoutOptions {
            didSet { if options != oldValue { contentChanged() } }
        }

        /// What lies behind a pressed range. Default: a translucent grey.
        public var highlightColor = Color(white: 0.5, alpha: 0.3)

        /// Called when a range was pressed, and released within it. Default: nil.
        public var onTap: ((TextLayout.MarkedRange) -> Void)?

        /// The layout that is on the screen; nil before the first, and while the layer shows nothing.
        public private(set) var shownLayout: TextLayout?

        /// The range that is pressed and shown so; nil while none is, or the pointer has left it.
        public private(set) var highlighted: TextLayout.MarkedRange? {
            didSet { if highlighted != oldValue { layer.setNeedsDisplay() } }
        }

        private var pressed: TextLayout.MarkedRange?
        private let layouts: LayoutCache<TextContent, TextLayout>
        private let pool: any JobSubmitting

        /// The default cache of all labels: up to 16 MiB.
        public nonisolated static let sharedLayouts = LayoutCache<TextContent, TextLayout> { _, layout in
            layout.byteCount
        }

        /// Makes a label.
        ///
        /// - Parameters:
        ///   - text: what is shown. Default: nothing.
        ///   - options: how it becomes lines.
        ///   - host: where it is laid out and drawn.
        ///   - layouts: where layouts are kept. Default: ``sharedLayouts``.
        public init(
            _ text: RichText = RichText(), options: TextLayoutOptions = TextLayoutOptions(),
            host: DisplayHost = .main, layouts: LayoutCache<TextContent, TextLayout> = sharedLayouts
        ) {
            self.text = text
            self.options = options
            self.layouts = layouts
            pool = host.pool
            layer = AsyncLayer(renderer: CairoRenderer(), host: host)
            layer.delegate = self
        }

        /// The layout of the label's text in a width, made off the main thread if it is not cached: for the
        /// height that a row will need. Cancelling the task stops the layout.
        ///
        /// - Throws: `PoolError` if the host's pool was shut down; ``TextLayoutError`` if the text exceeds
        ///   its bounds; `CancellationError` if the task is cancelled, or the pool shut down before the
        ///   layout begins.
        public func layout(width: Double) async throws -> TextLayout {
            let content = TextContent(text: text, options: options)
            let (layouts, pool, layout) = (layouts, pool, AwaitedLayout())
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    layout.begin(continuation) { job in
                        try pool.async(qos: .userInitiated) {
                            job.run { try content.layout(width: width, from: layouts, isCancelled: $0) }
                        }
                    }
                }
            } onCancel: {
                layout.end(.failure(CancellationError()))
            }
        }

        private func contentChanged() {
            cancelPress()
            layer.setNeedsDisplay()
        }

        // MARK: Pressing

        /// The link or the mention at a point of the layer, as it is shown.
        public func mark(at point: Point) -> TextLayout.MarkedRange? { shownLayout?.mark(at: point) }

        /// The pointer goes down; the range below it is highlighted.
        ///
        /// - Returns: whether there is one.
        @discardableResult
        public func press(at point: Point) -> Bool {
            pressed = mark(at: point)
            highlighted = pressed
            return pressed != nil
        }

        /// The pointer moves while it is down: the pressed range is highlighted while the pointer is in it.
        public func movePress(to point: Point) {
            highlighted = mark(at: point).flatMap { $0.isSame(as: pressed) ? $0 : nil }
        }

        /// The pointer goes up: within the pressed range, ``onTap`` is called.
        public func release(at point: Point) {
            movePress(to: point)
            let tapped = highlighted
            cancelPress()
            if let tapped { onTap?(tapped) }
        }

        /// Cancels the press: a scroll has begun, or the pointer was taken away.
        public func cancelPress() {
            pressed = nil
            highlighted = nil
        }
    }

    extension TextLabel: AsyncLayerDelegate {
        /// Lays the text out and draws it.
        public func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
            let drawn = Lock<TextLayout?>(nil)
            let content = TextContent(text: text, options: options)
            let (layouts, highlightColor, highlighted) = (layouts, highlightColor, highlighted)
            return DisplayTask(
                onEnd: { [weak self] outcome in
                    guard case .committed = outcome else { return }
                    self?.show(drawn.withLock { $0 })
                },
                draw: { context, scope in
                    let layout = try content.layout(
                        width: scope.size.width, from: layouts, isCancelled: { scope.isCancelled })
                    drawn.withLock { $0 = layout }
                    try scope.checkCancellation()
                    // A press on what was shown before does not belong to this text.
                    let mark = layout.marks.first { $0.isSame(as: highlighted) }
                    context.draw(layout, highlighted: mark?.index, highlight: highlightColor)
                })
        }

        /// A press that began on other links and mentions than those that are shown now ends.
        private func show(_ layout: TextLayout?) {
            let former = shownLayout
            shownLayout = layout
            if former?.marks.map(\.mark) != layout?.marks.map(\.mark) { cancelPress() }
        }
    }

    extension TextLayout.MarkedRange {
        /// Whether it is the same link or mention, at any place.
        fileprivate func isSame(as other: Self?) -> Bool { index == other?.index && mark == other?.mark }
    }

    /// A layout that a task awaits until one of these ends it: its job, the pool that refuses or drops that,
    /// or the task's cancellation.
    private final class AwaitedLayout: Sendable {
        private struct State {
            var continuation: CheckedContinuation<TextLayout, any Error>?
            var job: PoolJob?
            var isEnded = false
        }

        private let state = Lock(State())

        private var isEnded: Bool { state.withLock { $0.isEnded } }

        /// Submits the job, unless the task was cancelled before.
        func begin(
            _ continuation: CheckedContinuation<TextLayout, any Error>, submit: (Job) throws -> PoolJob
        ) {
            let isEnded = state.withLock { state in
                if !state.isEnded { state.continuation = continuation }
                return state.isEnded
            }
            guard !isEnded else { return continuation.resume(throwing: CancellationError()) }
            let job = Job(of: self)
            defer { extendLifetime(job) }  // the error of a refused job comes before its release
            do {
                let submitted = try submit(job)
                let isEnded = state.withLock { state in
                    if !state.isEnded { state.job = submitted }
                    return state.isEnded
                }
                if isEnded { submitted.cancel() }
            } catch {
                end(.failure(error))
            }
        }

        /// Resumes the task, the first time, and takes the job off the pool if it waits.
        func end(_ result: Result<TextLayout, any Error>) {
            let former = state.withLock { state in
                defer { state = State(isEnded: true) }
                return state
            }
            former.job?.cancel()
            former.continuation?.resume(with: result)
        }

        /// What the pool holds. A pool that drops it releases it.
        final class Job: Sendable {
            private let layout: AwaitedLayout

            init(of layout: AwaitedLayout) { self.layout = layout }

            deinit { layout.end(.failure(CancellationError())) }

            func run(_ make: (_ isCancelled: () -> Bool) throws -> TextLayout) {
                layout.end(Result { try make { layout.isEnded } })
            }
        }
    }

    /// All that a layout depends on but the width.
    public struct TextContent: Hashable, Sendable {
        /// What is laid out.
        public var text: RichText
        /// How it is laid out.
        public var options: TextLayoutOptions

        /// Makes a layout cache's content.
        public init(text: RichText, options: TextLayoutOptions = TextLayoutOptions()) {
            self.text = text
            self.options = options
        }

        /// The layout, from a cache or new. Not for the main thread.
        ///
        /// - Parameters:
        ///   - width: that lines may take, in points.
        ///   - layouts: where it is looked for, and kept.
        ///   - isCancelled: true stops making it and waiting for it. Default: false.
        /// - Throws: ``TextLayoutError`` if the text exceeds its limits; `CancellationError` if `isCancelled`
        ///   returns true.
        public func layout(
            width: Double, from layouts: LayoutCache<TextContent, TextLayout>,
            isCancelled: () -> Bool = { false }
        ) throws -> TextLayout {
            try layouts.layout(for: self, width: width, isCancelled: isCancelled) {
                try TextLayout(text, width: $0, options: options, isCancelled: isCancelled)
            }
        }
    }
#endif
