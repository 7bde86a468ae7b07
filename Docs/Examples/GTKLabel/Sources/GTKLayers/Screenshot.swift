public import CGTK4

/// Saves what a widget shows.
@MainActor
public enum Screenshot {
    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// In words.
        public let description: String
    }

    /// Draws a widget of a window once more, as it is now and as finely as on its screen, into a PNG file.
    public static func save(_ widget: UnsafeMutablePointer<GtkWidget>, to path: String) throws {
        let scale = Float(gtk_widget_get_scale_factor(widget))
        let paintable = gtk_widget_paintable_new(widget)!
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = gtk_snapshot_new()!
        gtk_snapshot_scale(snapshot, scale, scale)
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            throw Failure(description: "there is nothing to be seen")
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
