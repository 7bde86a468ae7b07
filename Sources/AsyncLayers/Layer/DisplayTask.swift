public import QueuePools
import QueuePoolsSentinels

/// One display pass, as a layer's delegate describes it: what to draw, and callbacks.
///
/// The closures are released on the main actor, when the pass has ended; the draw closure of a pass that is
/// cancelled before it started is released at that moment. So objects that must be released on the main
/// thread may be captured.
public struct DisplayTask<R: Renderer>: Sendable {
    /// Draws into a context, in points. Runs on a pool thread, or on the main actor when the layer displays
    /// synchronously. What it throws becomes the pass's `.failed` outcome.
    public typealias Draw = @Sendable (_ context: R.Context, _ scope: DrawScope) throws -> Void

    /// What the picture shows, by value. A pass whose key is that of the picture on show, at the same size,
    /// scale, opacity and background, draws nothing; nor does one whose picture is in the layer's
    /// ``ContentsCache``. Default: nil, which is always drawn.
    @inlinable public var key: ContentKey? {
        get { base.key }
        set { base.key = newValue }
    }

    /// Where the pass draws. It can be changed while the pass waits (``AsyncLayer/qos``). Default:
    /// userInitiated.
    @inlinable public var qos: QoSTier {
        get { base.qos }
        set { base.qos = newValue }
    }

    /// A picture that the layer shows until its own is there, if it shows nothing else. Default: nil.
    public var placeholder: R.Contents? {
        get { base.placeholder?.contents(R.Contents.self) }
        set { base.placeholder = newValue.map { RendererPicture($0) } }
    }

    /// Called on the main actor when the pass begins, before the layer's properties are read.
    @inlinable public var onStart: (@MainActor @Sendable () -> Void)? {
        get { base.onStart }
        set { base.onStart = newValue }
    }

    /// What to draw; nil for a task with a composition, and in one that empties the layer.
    public var draw: Draw? {
        get { base.work.flatMap { $0.isComposition ? nil : unsafeDowncast($0, to: LayerWork<R>.self).draw } }
        set { base.work = newValue.map { LayerWork<R>($0) } }
    }

    /// Called on the main actor when the pass has ended, exactly once, after the contents were set.
    @inlinable public var onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? {
        get { base.onEnd }
        set { base.onEnd = newValue }
    }

    // What is taken out of a task whole is passed on without the task's type being looked up.
    @usableFromInline var base: BaseTask

    /// Describes a pass; by default it has no key and no callbacks.
    @inlinable
    public init(
        qos: QoSTier = .userInitiated, placeholder: R.Contents? = nil,
        onStart: (@MainActor @Sendable () -> Void)? = nil,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil,
        draw: Draw?
    ) {
        // Not by `map`, which would wrap the closure twice.
        let work: DrawWork? = if let draw { LayerWork<R>(draw) } else { nil }
        base = BaseTask(qos: qos, onStart: onStart, onEnd: onEnd, work: work)
        if placeholder != nil { self.placeholder = placeholder }
    }

    /// Describes a pass whose picture shows what a value stands for (see ``key``).
    @inlinable
    public init(
        key: some Hashable & Sendable, qos: QoSTier = .userInitiated, placeholder: R.Contents? = nil,
        onStart: (@MainActor @Sendable () -> Void)? = nil,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil,
        draw: Draw?
    ) {
        self.init(
            qos: qos, placeholder: placeholder, onStart: onStart, onEnd: onEnd, draw: draw
        )
        self.key = ContentKey(key)
    }
}

extension DisplayTask {
    /// Describes a pass that draws a part of a picture, if its renderer can copy the rest.
    package init(
        qos: QoSTier, over former: FormerPicture<R>?,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)?, draw: @escaping Draw
    ) {
        base = BaseTask(qos: qos, onEnd: onEnd, work: LayerWork<R>(draw, over: former))
    }
}

extension DisplayTask where R: CompositingRenderer {
    /// Describes a pass that draws parts one by one; by default it has no key and no callbacks.
    @inlinable
    public init(
        composition: Composition<R>, qos: QoSTier = .userInitiated, placeholder: R.Contents? = nil,
        onStart: (@MainActor @Sendable () -> Void)? = nil,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil
    ) {
        self.init(
            qos: qos, placeholder: placeholder, onStart: onStart, onEnd: onEnd, draw: nil)
        base.work = CompositionSource<R>(composition.parts)
    }

    /// Describes a pass that draws parts one by one into a picture which shows what a value stands for (see
    /// ``key``).
    @inlinable
    public init(
        key: some Hashable & Sendable, composition: Composition<R>, qos: QoSTier = .userInitiated,
        placeholder: R.Contents? = nil, onStart: (@MainActor @Sendable () -> Void)? = nil,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil
    ) {
        self.init(
            composition: composition, qos: qos, placeholder: placeholder, onStart: onStart,
            onEnd: onEnd)
        self.key = ContentKey(key)
    }
}

extension DisplayTask {
    /// Takes a task apart by moving it: to copy one, its type would be looked up. Copies of a task share its
    /// placeholder, which the pass may have emptied: so that has a picture of its own.
    static func move(_ task: consuming DisplayTask?, into base: inout BaseTask) {
        switch consume task {
        case .some(let task): base = task.base
        case .none: break
        }
        if base.placeholder != nil { copyPlaceholder(&base) }
    }

    /// Not inlined, since it looks up the type of the renderer's contents.
    @inline(never)
    private static func copyPlaceholder(_ base: inout BaseTask) {
        base.placeholder = base.placeholder?.contents(R.Contents.self).map { RendererPicture($0) }
    }
}

/// A task without its renderer's type.
@usableFromInline
struct BaseTask: Sendable {
    @usableFromInline var key: ContentKey?
    @usableFromInline var qos: QoSTier
    @usableFromInline var placeholder: Picture?
    @usableFromInline var onStart: (@MainActor @Sendable () -> Void)?
    @usableFromInline var onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)?
    /// What the layer draws; nil for nothing.
    @usableFromInline var work: DrawWork?

    @usableFromInline
    init(
        qos: QoSTier = .userInitiated, onStart: (@MainActor @Sendable () -> Void)? = nil,
        onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil, work: DrawWork? = nil
    ) {
        self.qos = qos
        self.onStart = onStart
        self.onEnd = onEnd
        self.work = work
    }
}

/// What a draw closure knows of its pass: the layer's properties when the pass began, and whether the pass is
/// cancelled. *Thread-safe.*
public struct DrawScope: Sendable {
    /// The layer's size in points.
    public let size: Size

    /// Pixels per point.
    public let scale: Double

    /// True if the picture is to have no translucent pixel (``Background/isOpaque``).
    public let isOpaque: Bool

    /// The pixels of a tile's picture that are drawn; nil for all.
    package internal(set) var redrawn: PixelRect?

    /// Of this draw alone, raised once it is cancelled. Nil in a synchronous pass, which never is.
    let sentinel: Sentinel?

    /// The whole picture, in points, with its origin at zero.
    public var bounds: Rect { Rect(size: size) }

    /// True once the pass is cancelled; a long draw should check it now and then, and return. Never false
    /// again.
    ///
    /// A newer request cancels a draw only if that brings the newest picture sooner without keeping the layer
    /// from showing pictures: most stale draws are finished and shown.
    ///
    /// One atomic load. Always false in a synchronous pass.
    public var isCancelled: Bool { sentinel.isRaised }

    /// Throws `CancellationError` when ``isCancelled``. Thrown on, it ends the pass as superseded or
    /// cancelled, not as failed.
    public func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }
}
