import AsyncLayers

/// Which part of the document the window shows. Pure.
struct Viewport: Equatable {
    static let scales = 0.05...8.0

    let documentSize: Size
    /// Of the window, in pixels.
    private(set) var pixelSize: Size
    /// Pixels per point of the document.
    private(set) var scale: Double
    /// The top left, in points of the document.
    private(set) var origin = Point.zero

    init(documentSize: Size, pixelSize: Size, scale: Double = 1, center: Point) {
        (self.documentSize, self.pixelSize, self.scale) = (documentSize, pixelSize, scale)
        place(center, at: middle)
    }

    var visible: Rect { Rect(origin: origin, size: pixelSize * (1 / scale)) }

    /// Of the window, in pixels.
    var middle: Point { Rect(size: pixelSize).center }

    /// Where a pixel of the window is in the document.
    func point(at pixel: Point) -> Point { origin + pixel * (1 / scale) }

    /// Where a point of the document is in the window.
    func pixel(at point: Point) -> Point { (point - origin) * scale }

    /// The document follows the pointer.
    mutating func pan(byPixels distance: Point) { place(origin, at: distance) }

    /// What is under a pixel of the window stays there, unless the document would leave the window.
    mutating func zoom(to newScale: Double, about pixel: Point) {
        let point = point(at: pixel)
        scale = min(max(newScale, Self.scales.lowerBound), Self.scales.upperBound)
        place(point, at: pixel)
    }

    /// The window has another size; its middle shows what it showed.
    mutating func resize(to size: Size) {
        let center = visible.center
        pixelSize = size
        place(center, at: middle)
    }

    /// Moves a point to a pixel, as far as the window stays within the document; a document that is smaller
    /// is in its middle.
    private mutating func place(_ point: Point, at pixel: Point) {
        func confined(_ value: Double, _ visible: Double, _ content: Double) -> Double {
            visible >= content ? (content - visible) / 2 : min(max(value, 0), content - visible)
        }
        let place = point - pixel * (1 / scale)
        origin = Point(
            x: confined(place.x, visible.size.width, documentSize.width),
            y: confined(place.y, visible.size.height, documentSize.height))
    }
}
