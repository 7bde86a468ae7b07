/// The result of a run in a few sentences.
enum Headline {
    /// The result for each renderer, which is named when there are several.
    static func paragraphs(_ modes: [ModeResult]) -> [String] {
        let results = modes.byRenderer
        guard results.count > 1 else { return [text(modes)] }
        return results.map { "With \($0.renderer.name): \(text($0.modes))" }
    }

    static func text(_ modes: [ModeResult]) -> String {
        let sentences = [hitches(modes), noise(modes), storm(modes)].compactMap { $0 }
        return sentences.isEmpty ? "No mode was run." : sentences.joined(separator: " ")
    }

    private static func hitches(_ modes: [ModeResult]) -> String? {
        let parts = modes.filter { $0.scenario == .scroll }.compactMap { result in
            result.mode.manner.map { "\(milliseconds(result)) drawn \($0)" }
        }
        return parts.isEmpty ? nil : "The scroll hitches for \(list(parts))."
    }

    private static func noise(_ modes: [ModeResult]) -> String? {
        modes.first { $0.mode == .baseline }.map {
            "A loop that draws nothing shows \(milliseconds($0)): the machine's own noise."
        }
    }

    private static func storm(_ modes: [ModeResult]) -> String? {
        let parts = modes.compactMap { result in
            result.storm.flatMap { storm in
                result.mode.manner.map {
                    "\(Spelling.text(storm.newPicturesPerSecond, digits: 1)) new pictures a second drawn \($0)"
                }
            }
        }
        return parts.isEmpty ? nil : "Invalidated in every frame, a cell shows \(list(parts))."
    }

    private static func milliseconds(_ result: ModeResult) -> String {
        Spelling.text(result.hitchMillisecondsPerSecond, digits: 1) + " ms/s"
    }

    private static func list(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + (parts.count > 2 ? ", and " : " and ") + last
    }
}
