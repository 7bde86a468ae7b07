#if Cairo
    import CQueuePoolsCairo

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The memory of a picture: written by one context, then never again, and freed with its last owner.
    ///
    /// Not Cairo's own, for two reasons: a surface is an object that changes when it is only read (its clip,
    /// its snapshots, its reference count of patterns), so each thread that shows a picture gets a surface of
    /// its own over the one memory; and `calloc` takes large blocks from the system as zeroed pages, so that
    /// pixels are written once only.
    final class CairoPixels: @unchecked Sendable {  // written only before it is shared
        let start: UnsafeMutablePointer<UInt8>
        let format: cairo_format_t
        let width: Int
        let height: Int
        let bytesPerRow: Int

        /// Takes zeroed memory.
        init(format: cairo_format_t, width: Int, height: Int) throws(CairoError) {
            let bytesPerRow = Self.bytesPerRow(format, width: width)
            guard bytesPerRow > 0, height > 0, height <= Self.maximumExtent else {
                throw CairoError(CAIRO_STATUS_INVALID_SIZE)
            }
            guard let start = calloc(height, bytesPerRow) else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
            self.start = start.assumingMemoryBound(to: UInt8.self)
            self.format = format
            self.width = width
            self.height = height
            self.bytesPerRow = bytesPerRow
        }

        deinit { free(start) }

        var byteCount: Int { height * bytesPerRow }

        /// The most pixels that an image surface has to a side; Cairo computes in 16 bits and 16 more for
        /// fractions.
        static let maximumExtent = 32_767

        /// The bytes of a row as Cairo wants them; −1 if it has no such pictures.
        static func bytesPerRow(_ format: cairo_format_t, width: Int) -> Int {
            guard (1...maximumExtent).contains(width) else { return -1 }
            return Int(cairo_format_stride_for_width(format, Int32(width)))
        }

        /// A surface over the memory, which keeps it alive: also when only a pattern holds the surface still.
        func makeSurface() throws(CairoError) -> CairoSurface {
            let surface = try CairoSurface(
                taking: cairo_image_surface_create_for_data(
                    start, format, Int32(width), Int32(height), Int32(bytesPerRow)))
            let owner = Unmanaged.passRetained(self)
            let status = cairo_surface_set_user_data(surface.pointer, Self.ownerKey.pointer, owner.toOpaque())
            {
                Unmanaged<CairoPixels>.fromOpaque($0!).release()
            }
            if status != CAIRO_STATUS_SUCCESS { owner.release() }
            try CairoError.check(status)
            return surface
        }

        private static let ownerKey = UserDataKey()
    }

    /// The address that identifies user data.
    private final class UserDataKey: @unchecked Sendable {  // never written
        let pointer = UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)

        init() { pointer.initialize(to: cairo_user_data_key_t()) }

        deinit { pointer.deallocate() }
    }

    /// A `cairo_surface_t`, given back with its owner.
    struct CairoSurface: ~Copyable {
        let pointer: OpaquePointer

        /// Takes over a reference that Cairo has handed out. (It hands out objects also where it fails; they
        /// have a status, and need not be given back.)
        init(taking pointer: OpaquePointer?) throws(CairoError) {
            try CairoError.check(cairo_surface_status(pointer))
            self.pointer = pointer!
        }

        deinit { cairo_surface_destroy(pointer) }
    }

    /// A `cairo_t`, given back with its owner.
    struct CairoDrawing: ~Copyable {
        let pointer: OpaquePointer

        init(on surface: borrowing CairoSurface) throws(CairoError) {
            let pointer = cairo_create(surface.pointer)
            try CairoError.check(cairo_status(pointer))
            self.pointer = pointer!
        }

        deinit { cairo_destroy(pointer) }
    }
#endif
