import AsyncLayers

extension Tour.Stop {
    /// The journey.
    @MainActor static let all: [Tour.Stop] = [
        Self(name: "1-first-view", go: { _, _ in }),
        Self(
            name: "2-pan",
            go: { view, _ in
                view.withMotion { $0.push(byPixels: Point(x: -1_733, y: -611)) }
            }),
        Self(name: "3-zoom-out", go: { view, _ in view.zoom(to: 0.1) }),
        Self(
            name: "4-zoom-in",
            go: { view, _ in
                // About the pixel from which the frame comes to the middle of the window.
                let (ratio, place) = (
                    2 / view.viewport.scale, view.pixel(at: view.document.text.frame.center)
                )
                let pixel = (place * ratio - view.middle) * (1 / (ratio - 1))
                view.withMotion { $0.zoom(to: 2, about: pixel) }
            }),
        Self(
            name: "5-edit",
            go: { view, time in
                view.click(view.pixel(at: view.document.text.frame.origin + Point(x: 30, y: 36)), at: time)
                for key in [InputEvent.Key.end, .left, .right] {
                    try view.handle(.key(key, isControl: false), at: time)
                }
                for text in ["Typed", " ", "wörds, ", "x", "مرحبا", "!"] {
                    try view.handle(.text(text), at: time)
                }
                try view.handle(.key(.backspace, isControl: false), at: time)
                try view.handle(.key(.enter, isControl: false), at: time)
            }),
        Self(
            name: "6-overlay",
            go: { view, time in
                try view.handle(.key(.o, isControl: true), at: time)
            }),
        Self(name: "7-overlay-moving", go: { view, _ in view.zoom(to: 0.3) }, waits: false),
    ]
}

extension CanvasView {
    /// Where a point of the document is in the window.
    func pixel(at point: Point) -> Point { (point - viewport.origin) * viewport.scale }

    /// Zooms about the middle of the window.
    fileprivate func zoom(to scale: Double) { withMotion { $0.zoom(to: scale, about: middle) } }
}
