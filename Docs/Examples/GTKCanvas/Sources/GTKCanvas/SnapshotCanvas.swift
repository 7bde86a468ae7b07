import AsyncLayers
import CGTK4
import GTKLayers
import TiledLayers

/// Shows a board with GTK's own drawing: a GdkTexture for each tile.
@MainActor
final class SnapshotCanvas: Canvas, WidgetOwner {
    let widget = DrawnWidget.make()
    private(set) var frames = 0
    private let view: BoardView
    private let textures = TileTextures<LayerTexture>()

    init(_ view: BoardView) {
        self.view = view
        DrawnWidget.setOwner(of: widget, self)
    }

    isolated deinit {
        DrawnWidget.setOwner(of: widget, nil)
        g_object_unref(widget)
    }

    func redraw() { gtk_widget_queue_draw(widget) }

    func draw(into snapshot: OpaquePointer) {
        frames += 1
        let pixels = resize(view)
        var (color, page) = (GdkRGBA(Board.background), graphene_rect_t(pixels))
        let points = Float(gtk_widget_get_width(widget)) / Float(pixels.size.width)
        gtk_snapshot_scale(snapshot, points, points)
        gtk_snapshot_append_color(snapshot, &color, &page)
        // A texture has the pixels of a picture, not a copy of them, so GTK 4.8 takes a new one for a tile of
        // which a part has changed. From 4.16 on a GdkMemoryTextureBuilder takes the former texture and the
        // pixels that differ (`gdk_memory_texture_builder_set_update_texture`), and uploads only these.
        for (texture, place) in textures.update(from: view.layer, upload: { image, _ in LayerTexture(image) })
            .placed
        {
            // GTK draws whole textures: this one so that what is wanted of it is at its place.
            let destination = Rect(place.destination)
            let ratio = destination.size.width / place.source.size.width
            let size = Size(
                width: Double(gdk_texture_get_width(texture.texture)),
                height: Double(gdk_texture_get_height(texture.texture)))
            var clip = graphene_rect_t(destination)
            var bounds = graphene_rect_t(
                Rect(origin: destination.origin - place.source.origin * ratio, size: size * ratio))
            gtk_snapshot_push_clip(snapshot, &clip)
            gtk_snapshot_append_texture(snapshot, texture.texture, &bounds)
            gtk_snapshot_pop(snapshot)
        }
    }
}

extension graphene_rect_t {
    fileprivate init(_ rect: Rect) {
        self.init(
            origin: graphene_point_t(x: Float(rect.minX), y: Float(rect.minY)),
            size: graphene_size_t(width: Float(rect.size.width), height: Float(rect.size.height)))
    }
}

extension GdkRGBA {
    fileprivate init(_ color: Color) {
        self.init(
            red: Float(color.red), green: Float(color.green), blue: Float(color.blue),
            alpha: Float(color.alpha))
    }
}
