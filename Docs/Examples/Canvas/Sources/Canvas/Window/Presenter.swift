import AsyncLayers
import CSDL2
import CairoRendering
import TiledLayers

/// Puts a frame together: the tiles, and over them what the overlay tells.
@MainActor
final class Presenter {
    private let window: Window
    private let textures: TileTextures
    private let overlay: Overlay
    var showsOverlay = false
    /// For the overlay, in milliseconds.
    var frameTime = 0.0

    /// Of the last frame.
    private(set) var coverage = TileCoverage()

    init(_ window: Window) {
        self.window = window
        textures = TileTextures(renderer: window.renderer)
        overlay = Overlay(renderer: window.renderer)
    }

    /// The renderer has lost its textures, and the layer has let its pixels go: all is drawn again.
    func texturesAreLost(of layer: TiledLayer<CairoRenderer>) {
        removeAll()
        layer.setNeedsDisplay()
    }

    func removeAll() {
        textures.removeAll()
        overlay.removeAll()
    }

    /// Has the renderer draw a frame; ``show()`` shows it.
    func draw(_ layer: TiledLayer<CairoRenderer>) throws {
        let changes = layer.takeChanges()
        textures.apply(changes, of: layer)
        coverage = changes.coverage
        func byte(_ component: Double) -> UInt8 { UInt8((component * 255).rounded()) }
        let margin = Palette.margin
        SDL_SetRenderDrawBlendMode(window.renderer, SDL_BLENDMODE_BLEND)
        SDL_SetRenderDrawColor(
            window.renderer, byte(margin.red), byte(margin.green), byte(margin.blue), 255)
        SDL_RenderClear(window.renderer)
        textures.draw(changes.placed)
        guard showsOverlay else { return }
        try overlay.draw(changes.placed, of: layer, textures, frameTime: frameTime)
    }

    func show() { SDL_RenderPresent(window.renderer) }
}
