#if Cairo
    import CLibCairo

    /// What Cairo says went wrong.
    ///
    /// A Cairo object that meets an error keeps it and does nothing any more. So the status is asked for where an
    /// object is made and where a picture is finished, and what went wrong in between is not lost.
    public struct CairoError: Error, Hashable, CustomStringConvertible {
        /// Cairo's number of the error, a `cairo_status_t`.
        public let status: UInt32

        init(_ status: cairo_status_t) { self.status = status.rawValue }

        /// Throws unless a status is success.
        static func check(_ status: cairo_status_t) throws(CairoError) {
            if status != CAIRO_STATUS_SUCCESS { throw CairoError(status) }
        }

        /// Cairo's words for it, in English.
        public var description: String {
            "Cairo: " + String(cString: cairo_status_to_string(cairo_status_t(rawValue: status)))
        }
    }
#endif
