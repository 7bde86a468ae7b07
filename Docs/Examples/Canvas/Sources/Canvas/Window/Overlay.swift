import AsyncLayers
import CSDL2
import CairoRendering
import SDLWindows
import TiledLayers

/// Shows how each piece of the view is covered, and the figures.
@MainActor
final class Overlay {
    private let window: Window
    private var labels: [String: Texture] = [:]

    init(_ window: Window) { self.window = window }

    func removeAll() { labels = [:] }

    func draw(_ layer: TiledLayer<CairoRenderer>, _ tiles: DrawnTiles) throws {
        for place in tiles.placed {
            let (state, red, green, blue): (String, UInt8, UInt8, UInt8) =
                !place.isFresh
                ? ("stale", 214, 40, 40) : !place.isSharp ? ("coarse", 230, 140, 0) : ("fresh", 20, 150, 80)
            var frame = SDL_Rect(place.destination)
            SDL_SetRenderDrawColor(window.renderer, red, green, blue, 28)
            SDL_RenderFillRect(window.renderer, &frame)
            SDL_SetRenderDrawColor(window.renderer, red, green, blue, 220)
            SDL_RenderDrawRect(window.renderer, &frame)
            // Small pieces have no room for words.
            guard place.destination.width > 90, place.destination.height > 30 else { continue }
            let reason = layer.reason(of: place.id).map { ", \($0)" } ?? ""
            try draw("\(state)\(reason)", x: place.destination.minX + 4, y: place.destination.minY + 4)
        }
        let statistics = layer.statistics
        func count(_ reason: TileStatistics.Reason) -> Int { statistics.draws[reason] ?? 0 }
        func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 104_857.6).rounded() / 10) MiB" }
        let figures = """
            pieces in view \(tiles.placed.count), tiles kept \(tiles.count)
            drawn: \(count(.first)) first, \(count(.damage)) damaged, \(count(.ahead)) ahead
            pictures \(megabytes(statistics.byteCount)), uploaded \(megabytes(tiles.uploadedBytes))
            blank \(statistics.blankPercentage) % of area × time, failed \(statistics.failures)
            """
        try draw(figures, x: 12, y: 12)
    }

    private func draw(_ words: String, x: Int, y: Int) throws {
        if labels.count > 64 { labels = [:] }
        guard let texture = try labels[words] ?? label(words) else { return }
        labels[words] = texture
        var target = SDL_Rect(x: Int32(x), y: Int32(y), w: Int32(texture.width), h: Int32(texture.height))
        SDL_RenderCopy(window.renderer, texture.pointer, nil, &target)
    }

    private func label(_ words: String) throws -> Texture? {
        let layout = try TextLayout(RichText(words, style: TextStyle(size: 12, color: .white)))
        let base = CairoRenderer()
        let size = Rect(size: layout.size).inset(by: EdgeInsets(top: -6, left: -12)).integral.size
        let context = try base.makeContext(
            ContextDescription(pixelWidth: Int(size.width), pixelHeight: Int(size.height)))
        base.fill(context, with: Palette.ink)
        context.draw(layout, at: Point(x: 6, y: 3))
        return try Texture(window, base.makeContents(from: context))
    }
}

extension TileStatistics {
    /// Of the area in view, over time, with two digits.
    var blankPercentage: Double {
        (blankPixelSeconds / max(visiblePixelSeconds, 1) * 10_000).rounded() / 100
    }
}
