#if Cairo
    /// Why a picture could not be read.
    public enum ImageError: Error, Hashable, CustomStringConvertible {
        /// The bytes begin neither as PNG nor as JPEG does; or they would be no file's, but a pipe's or a device's.
        case unknownFormat
        /// The file is cut off, was changed, or uses what its decoder does not know; the decoder's words.
        case damaged(String)
        /// The picture has more pixels than the decoder was allowed to make room for, or than Cairo has room for.
        case tooLarge(pixelWidth: Int, pixelHeight: Int)
        /// The system has no memory for the pixels.
        case outOfMemory
        /// The file cannot be read, or has more bytes than the decoder was allowed to take; the system's number of the
        /// error.
        case unreadable(path: String, errno: Int32)

        /// One line for a log, in English.
        public var description: String {
            switch self {
            case .unknownFormat: "neither PNG nor JPEG"
            case .damaged(let reason): "a damaged picture: \(reason)"
            case .tooLarge(let width, let height): "a picture of \(width) × \(height) pixels is too large"
            case .outOfMemory: "the system has no memory for a picture"
            case .unreadable(let path, let errno): "\(path) cannot be read (errno \(errno))"
            }
        }
    }
#endif
