import AsyncLayers

/// Which part of the document the window shows. Pure.
struct Viewport: Equatable {
    static let scales = 0.05...8.0

    let contentSize: Size
    /// Of the window, in pixels.
    private(set) var pixelSize: Size
    /// Pixels per point of the document.
    private(set) var scale: Double
    /// The top left, in points of the document.
    private(set) var origin: Point

    init(contentSize: Size, pixelSize: Size, scale: Double = 1, center: Point) {
        (self.contentSize, self.pixelSize) = (contentSize, pixelSize)
        self.scale = min(max(scale, Self.scales.lowerBound), Self.scales.upperBound)
        origin = Rect(center: center, size: pixelSize * (1 / self.scale)).origin
        confine()
    }

    var visible: Rect { Rect(origin: origin, size: pixelSize * (1 / scale)) }

    /// Where a pixel of the window is in the document.
    func point(at pixel: Point) -> Point { origin + pixel * (1 / scale) }

    /// The document follows the pointer.
    mutating func pan(byPixels distance: Point) {
        origin = origin - distance * (1 / scale)
        confine()
    }

    /// What is under a pixel of the window stays there, unless the document would leave the window.
    mutating func zoom(to newScale: Double, about pixel: Point) {
        let point = point(at: pixel)
        scale = min(max(newScale, Self.scales.lowerBound), Self.scales.upperBound)
        origin = point - pixel * (1 / scale)
        confine()
    }

    /// The window has another size; its middle shows what it showed.
    mutating func resize(to size: Size) {
        let center = visible.center
        pixelSize = size
        origin = Rect(center: center, size: size * (1 / scale)).origin
        confine()
    }

    /// The window stays within the document; a document that is smaller is in its middle.
    private mutating func confine() {
        func confined(_ value: Double, _ visible: Double, _ content: Double) -> Double {
            visible >= content ? (content - visible) / 2 : min(max(value, 0), content - visible)
        }
        origin = Point(
            x: confined(origin.x, visible.size.width, contentSize.width),
            y: confined(origin.y, visible.size.height, contentSize.height))
    }
}
