/// What the window showed at the end of each mode, compared as they come: two are kept, and not all.
struct LastPictures {
    private(set) var last: Screenshot?
    /// True as long as all have been the same, pixel for pixel.
    private(set) var areEqual = true

    mutating func add(_ picture: Screenshot) {
        if let last, !last.hasSamePixels(as: picture) { areEqual = false }
        last = picture
    }
}
