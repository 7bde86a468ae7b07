import AsyncLayers
import CSDL2
import CairoRendering
import TiledLayers

/// What the overlay tells in numbers.
struct Figures: Equatable {
    let lines: [String]

    @MainActor
    init(_ statistics: TileStatistics, _ textures: TileTextures, tilesInView: Int, frameTime: Double) {
        func count(_ reason: TileStatistics.Reason) -> Int { statistics.draws[reason] ?? 0 }
        func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 104_857.6).rounded() / 10) MiB" }
        let share =
            statistics.visiblePixelSeconds > 0
            ? statistics.blankPixelSeconds / statistics.visiblePixelSeconds * 100 : 0
        lines = [
            "pieces in view \(tilesInView), tiles kept \(textures.count)",
            "drawn: \(count(.first)) first, \(count(.damage)) damaged, \(count(.ahead)) ahead",
            "pictures \(megabytes(statistics.byteCount)), uploaded \(megabytes(textures.uploadedBytes))",
            "blank \((share * 100).rounded() / 100) % of area × time, failed \(statistics.failures)",
            "frame \((frameTime * 10).rounded() / 10) ms of the main thread",
        ]
    }
}

/// Shows how each piece of the view is covered, and the figures.
@MainActor
final class Overlay {
    private let renderer: OpaquePointer
    private var labels: [[String]: Texture] = [:]

    init(renderer: OpaquePointer) { self.renderer = renderer }

    func removeAll() { labels = [:] }

    func draw(
        _ placed: [PlacedTile], _ figures: Figures, reason: (TileID) -> TileStatistics.Reason?
    ) throws {
        for place in placed {
            let (state, color) = Self.state(of: place, reason(place.id))
            var frame = SDL_Rect(place.destination)
            SDL_SetRenderDrawColor(renderer, color.0, color.1, color.2, 28)
            SDL_RenderFillRect(renderer, &frame)
            SDL_SetRenderDrawColor(renderer, color.0, color.1, color.2, 220)
            SDL_RenderDrawRect(renderer, &frame)
            // Small pieces have no room for words.
            guard place.destination.width > 90, place.destination.height > 30 else { continue }
            try draw([state], x: place.destination.minX + 4, y: place.destination.minY + 4)
        }
        try draw(figures.lines, x: 12, y: 12)
    }

    private static func state(
        of place: PlacedTile, _ reason: TileStatistics.Reason?
    ) -> (String, (UInt8, UInt8, UInt8)) {
        let reason = reason.map { ", \($0)" } ?? ""
        if !place.isFresh { return ("stale\(reason)", (214, 40, 40)) }
        if !place.isSharp { return ("coarse\(reason)", (230, 140, 0)) }
        return ("fresh\(reason)", (20, 150, 80))
    }

    // MARK: Words

    private func draw(_ lines: [String], x: Int, y: Int) throws {
        if labels.count > 64 { labels = [:] }
        guard let texture = try labels[lines] ?? label(lines) else { return }
        labels[lines] = texture
        var target = SDL_Rect(x: Int32(x), y: Int32(y), w: Int32(texture.width), h: Int32(texture.height))
        SDL_RenderCopy(renderer, texture.pointer, nil, &target)
    }

    private func label(_ lines: [String]) throws -> Texture? {
        let text = RichText(lines.joined(separator: "\n"), style: TextStyle(size: 12, color: .white))
        let layout = try TextLayout(text)
        let base = CairoRenderer()
        let context = try base.makeContext(
            ContextDescription(
                pixelWidth: Int(layout.size.width.rounded(.up)) + 12,
                pixelHeight: Int(layout.size.height.rounded(.up)) + 6, isOpaque: true))
        base.fill(context, with: Palette.ink)
        context.draw(layout, at: Point(x: 6, y: 3))
        let image = try base.makeContents(from: context)
        let texture = Texture(renderer, image)
        // The pixels' alpha means nothing in an opaque picture.
        if let texture { SDL_SetTextureBlendMode(texture.pointer, SDL_BLENDMODE_NONE) }
        texture?.update(
            PixelRect(minX: 0, minY: 0, maxX: image.pixelWidth, maxY: image.pixelHeight), from: image)
        return texture
    }
}
