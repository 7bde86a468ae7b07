import AsyncLayers

extension Tour.Stop {
    /// The journey.
    @MainActor static let all: [Tour.Stop] = [
        Self("1-first-view") { _, _ in },
        Self("2-pan") { view, _ in view.motion.push(byPixels: Point(x: -1_733, y: -611)) },
        Self("3-zoom-out") { view, _ in view.motion.zoom(to: 0.1, about: view.middle) },
        Self("4-zoom-in") { view, _ in
            // About the pixel from which the frame comes to the middle of the window.
            let (ratio, place) = (2 / view.viewport.scale, view.pixel(at: view.document.text.frame.center))
            view.motion.zoom(to: 2, about: (place * ratio - view.middle) * (1 / (ratio - 1)))
        },
        Self("5-edit") { view, time in
            view.click(view.pixel(at: view.document.text.frame.origin + Point(x: 30, y: 36)), at: time)
            try view.handle(.key(.end, isControl: false), at: time)
            for text in ["Typed", " ", "wörds, ", "x", "مرحبا", "!"] {
                try view.handle(.text(text), at: time)
            }
            for key in [InputEvent.Key.backspace, .left, .right, .enter] {
                try view.handle(.key(key, isControl: false), at: time)
            }
        },
        Self("6-overlay") { view, time in try view.handle(.key(.o, isControl: true), at: time) },
        Self("7-overlay-moving", waits: false) { view, _ in view.motion.zoom(to: 0.3, about: view.middle) },
    ]
}

extension CanvasView {
    /// Where a point of the document is in the window.
    func pixel(at point: Point) -> Point { (point - viewport.origin) * viewport.scale }
}
