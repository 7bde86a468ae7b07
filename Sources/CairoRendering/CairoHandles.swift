#if Cairo
    import CLibCairo

    /// A `cairo_surface_t`, given back with its owner.
    struct CairoSurface: ~Copyable {
        let pointer: OpaquePointer

        /// Takes over a reference that Cairo has handed out. (It hands out objects also where it fails; they have a
        /// status, and need not be given back.)
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
