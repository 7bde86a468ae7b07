#if Cairo
    import CLibCairo
    import Locks

    /// The font faces that layouts have ever used, each with a reference that is never given back.
    ///
    /// Cairo 1.16 lists the faces of a font file without a lock: a face that is destroyed takes itself out of the
    /// list, also while another thread, whose Pango asks for the same font, walks it. Layouts are released on any
    /// thread; with these references none of them destroys a face. There are as many as a process uses font files with
    /// different options, whatever the sizes and however many layouts.
    ///
    /// What remains is Pango's: it makes faces, and destroys those that no layout has used, such as fonts that were
    /// looked at only, when a thread that made layouts ends or its font map forgets them. *Thread-safe.*
    enum KeptFaces {
        // Numbers, since a pointer must not go from one thread to another.
        private static let faces = Lock<Set<UInt>>([])

        /// Keeps a face until the process ends. O(1).
        static func keep(_ face: OpaquePointer) {
            let number = UInt(bitPattern: face)
            let isNew = faces.withLock { $0.insert(number).inserted }
            if isNew { cairo_font_face_reference(face) }
        }
    }
#endif
