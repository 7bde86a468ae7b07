import CGTK4
public import CairoRendering

/// A layer's picture as GTK shows it, without a copy of its pixels.
///
/// GTK keeps what it makes of a texture (on the GPU, if it has one) for as long as the texture lives: a frame
/// in which the picture has not changed costs nothing again.
@MainActor
public final class LayerTexture {
    /// A GdkTexture.
    public let texture: OpaquePointer

    /// Makes a texture of a picture with alpha; nil if there is no memory for it.
    public init?(_ image: CairoImage) {
        // Pictures of opaque layers have no alpha, only a byte that means nothing, a format that GTK 4.8
        // lacks.
        precondition(!image.isOpaque, "the layer must not be opaque")
        let surface = try? image.withSurface { surface in
            // Held by the texture, and holds the pixels in turn.
            cairo_surface_reference(surface)
        }
        guard let surface else { return nil }
        let bytes = g_bytes_new_with_free_func(
            cairo_image_surface_get_data(surface), gsize(image.byteCount),
            { surface in cairo_surface_destroy(OpaquePointer(surface)) }, UnsafeMutableRawPointer(surface))
        defer { g_bytes_unref(bytes) }
        texture = gdk_memory_texture_new(
            Int32(image.pixelWidth), Int32(image.pixelHeight), Self.format, bytes, gsize(image.bytesPerRow))
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }

    /// A number of 32 bits in the machine's byte order, with alpha in its highest bits, premultiplied.
    private static let format =
        1.littleEndian == 1 ? GDK_MEMORY_B8G8R8A8_PREMULTIPLIED : GDK_MEMORY_A8R8G8B8_PREMULTIPLIED
}
