#if Cairo
    import CLibCairo

    /// Pictures as files in memory, for programs that send or keep them.
    extension CairoImage {
        /// The picture as a PNG file in memory: with alpha, unless ``isOpaque``. O(pixels), and not for the main thread.
        ///
        ///     let png = try image.pngBytes()
        ///     let same = try ImageDecoder().decode(png)
        ///
        /// Equal pixels give equal bytes. What is opaque comes back exactly; colours under alpha are kept as PNG has
        /// them, not premultiplied, in eight bits, and so come back to within one step.
        ///
        /// - Throws: ``CairoError`` where Cairo has no memory.
        public func pngBytes() throws(CairoError) -> [UInt8] {
            let surface = try pixels.makeSurface()
            var bytes: [UInt8] = []
            let status = withUnsafeMutablePointer(to: &bytes) { bytes in
                cairo_surface_write_to_png_stream(
                    surface.pointer,
                    { closure, data, count in
                        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                        let part = UnsafeBufferPointer(start: data, count: Int(count))
                        closure.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: part)
                        return CAIRO_STATUS_SUCCESS
                    }, bytes)
            }
            try CairoError.check(status)
            return bytes
        }
    }
#endif
