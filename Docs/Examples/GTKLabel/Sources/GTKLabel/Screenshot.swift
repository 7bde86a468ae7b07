import CGTK4

/// Saves what a window shows.
@MainActor
enum Screenshot {
    /// Why there is none.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Draws a window once more, as it is now and as finely as on its screen, into a PNG file.
    static func save(_ window: UnsafeMutablePointer<GtkWindow>, to path: String) throws {
        let widget = cgtk_widget(UnsafeMutableRawPointer(window))!
        let scale = Float(gtk_widget_get_scale_factor(widget))
        let paintable = gtk_widget_paintable_new(widget)!
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()!
        gtk_snapshot_scale(snapshot, scale, scale)
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            throw Failure(description: "the window shows nothing")
        }
        defer { gsk_render_node_unref(node) }
        let renderer = gtk_native_get_renderer(gtk_widget_get_native(widget))
        let texture = gsk_renderer_render_texture(renderer, node, nil)!
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        guard gdk_texture_save_to_png(texture, path) != 0 else {
            throw Failure(description: "cannot write \(path)")
        }
    }
}
