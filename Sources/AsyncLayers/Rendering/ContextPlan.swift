/// The context that a layer's size and scale need, decided before any memory is taken.
package enum ContextPlan: Hashable, Sendable {
    /// Less than one pixel wide or high: there is nothing to draw, and the layer shows nothing.
    case nothing

    /// A context of this description.
    case context(ContextDescription)

    /// Pixel extents are rounded up, so that a layer's edge is never cut off. A thousandth of a pixel is
    /// forgiven, so that 33.3333334 points at scale 3 are 100 pixels and not 101.
    private static let tolerance = 1.0 / 1024

    package init(size: Size, scale: Double, isOpaque: Bool) throws(DisplayError) {
        guard scale.isFinite, scale > 0 else { throw .invalidScale(scale) }
        guard size.width.isFinite, size.height.isFinite, size.width >= 0, size.height >= 0 else {
            throw .invalidSize(size)
        }
        let (width, height) = (size.width * scale, size.height * scale)
        guard width >= 1, height >= 1 else {
            self = .nothing
            return
        }
        let limit = Double(ContextDescription.maximumPixelExtent)
        guard width <= limit, height <= limit else { throw .tooManyPixels(width: width, height: height) }
        self = .context(
            ContextDescription(
                pixelWidth: Int((width - Self.tolerance).rounded(.up)),
                pixelHeight: Int((height - Self.tolerance).rounded(.up)),
                scale: scale, isOpaque: isOpaque))
    }
}
