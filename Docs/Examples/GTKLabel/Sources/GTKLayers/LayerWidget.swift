public import AsyncLayers
public import CGTK4
public import CairoRendering

/// A GTK widget that shows a layer.
///
/// The layer gets the widget's size and its screen's scale, and draws again when they change; the widget
/// shows the former picture, at its own size, until the new one is there. The layer must not be opaque.
///
/// This object holds the widget, and the widget does not hold it: keep it for as long as there is something
/// to show. *Main-actor isolated.*
@MainActor
public final class LayerWidget: WidgetOwner {
    /// What goes into a window.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// What is shown.
    public let layer: AsyncLayer<CairoRenderer>

    /// What the widget wants to be high at least, in points. Default: 0.
    public var minimumHeight = 0.0 {
        didSet { if minimumHeight != oldValue { gtk_widget_queue_resize(widget) } }
    }

    /// Called when the widget has got another size, in points. Default: nil.
    public var onSizeChange: ((Size) -> Void)?

    /// Called when a new picture is drawn into a frame for the first time. Default: nil.
    public var onPicture: (() -> Void)?

    /// What has been shown by now.
    public private(set) var statistics = Statistics()

    /// What a widget has shown.
    public struct Statistics: Hashable, Sendable {
        /// In how many frames it was drawn.
        public var frames = 0
        /// In how many of them with a picture that was not shown before.
        public var pictures = 0
        /// In how many of them with nothing though it had shown something before.
        public var blankFrames = 0

        /// Nothing yet.
        public init() {}
    }

    private var picture: Picture?

    private struct Picture {
        let texture: LayerTexture
        let size: Size
        var isNew = true
    }

    /// Makes a widget for a layer.
    public init(_ layer: AsyncLayer<CairoRenderer>) {
        self.layer = layer
        widget = DrawnWidget.make()
        DrawnWidget.setOwner(of: widget, self)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        layer.contentsScale = Double(gtk_widget_get_scale_factor(widget))
        layer.onContentsChange = { [weak self] _ in self?.takeContents() }
        Signals.connect(widget, notify: "scale-factor") { [weak self] in self?.scaleDidChange() }
    }

    isolated deinit {
        DrawnWidget.setOwner(of: widget, nil)
        g_object_unref(widget)
    }

    private func scaleDidChange() {
        layer.contentsScale = Double(gtk_widget_get_scale_factor(widget))
        layer.setNeedsDisplay()
    }

    private func takeContents() {
        picture = layer.contents.flatMap { image in
            LayerTexture(image).map {
                Picture(
                    texture: $0,
                    size: Size(
                        width: Double(image.pixelWidth) / image.scale,
                        height: Double(image.pixelHeight) / image.scale))
            }
        }
        gtk_widget_queue_draw(widget)
    }

    // MARK: What GTK asks

    /// The layer gets the widget's size.
    public func allocate(_ size: Size) {
        guard layer.size != size else { return }
        layer.size = size
        layer.setNeedsDisplay()
        onSizeChange?(size)
    }

    /// Draws the newest picture.
    public func draw(into snapshot: OpaquePointer) {
        statistics.frames += 1
        guard let picture else {
            if statistics.pictures > 0 { statistics.blankFrames += 1 }
            return
        }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(picture.size.width), height: Float(picture.size.height)))
        gtk_snapshot_append_texture(snapshot, picture.texture.texture, &bounds)
        guard picture.isNew else { return }
        self.picture?.isNew = false
        statistics.pictures += 1
        onPicture?()
    }
}
