/// The seconds below a chart, at round numbers.
struct TimeAxis {
    let seconds: Double
    let left: Double
    let right: Double

    /// The labels, and what they mean below them.
    func svg(y: Double, title: String) -> String {
        // About eight labels.
        let step =
            [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000].first { seconds / $0 <= 10 }
            ?? 5_000
        var svg = ""
        for index in 0...Int(seconds / step) {
            let time = Double(index) * step
            let x = left + (seconds > 0 ? time / seconds : 0) * (right - left)
            let unit = index == 0 ? " s" : ""
            svg += text(Spelling.coordinate(time) + unit, x: x, y: y + 18)
        }
        return svg + text(title, x: (left + right) / 2, y: y + 36)
    }

    private func text(_ label: String, x: Double, y: Double) -> String {
        "<text class=\"time\" x=\"\(Spelling.coordinate(x))\" y=\"\(Spelling.coordinate(y))\">\(label)</text>\n"
    }
}
