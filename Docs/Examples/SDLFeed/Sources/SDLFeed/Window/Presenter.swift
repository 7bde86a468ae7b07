import AsyncLayers
import CSDL2
import CairoRendering
import FeedKit
import SDLWindows

/// Puts the layers' contents together in the window: a texture each, copied to its place.
@MainActor
final class Presenter {
    private let window: Window
    private let textures: TextureCache

    init(_ window: Window) {
        self.window = window
        textures = TextureCache(renderer: window.renderer, of: window)
    }

    /// The renderer has lost its textures; they are uploaded again.
    func texturesAreLost() { textures.removeAll() }

    /// Has the renderer draw the frame; ``show()`` shows it.
    func draw(_ view: FeedView, title: TitleBar, hasScrollBar: Bool) {
        let scale = window.scale
        func pixels(_ points: Double) -> Int { Int((points * scale).rounded()) }
        let (width, height) = window.pixelSize
        let left = pixels(WindowMeasures.feedLeft(windowWidth: window.size.width))
        let top = pixels(WindowMeasures.titleHeight)
        let right = left + pixels(CellStyle.width)
        fill(0, 0, width, height, CellStyle.page)
        fill(0, top, left, height - top, CellStyle.margin)
        fill(right, top, width - right, height - top, CellStyle.margin)

        let column = view.window.column
        // Whole pixels, so that the text is as crisp as it was drawn.
        let offset = pixels(view.window.offset)
        for row in view.window.visibleRows {
            guard let layer = view.cells[row]?.layer, let contents = layer.contents else { continue }
            // All placeholders are one picture, and share a texture.
            let owner: AnyObject = layer.showsPlaceholder ? contents : layer
            copy(
                textures.texture(of: contents, for: owner), x: left,
                y: top + pixels(column.top(of: row)) - offset)
        }
        if hasScrollBar {
            drawScrollBar(view, x: right - pixels(6), top: top, height: height - top)
        }
        fill(0, 0, width, top, CellStyle.page)
        copy(textures.texture(of: title.layer), x: left, y: 0)
        textures.endFrame()
    }

    func show() { SDL_RenderPresent(window.renderer) }

    private func drawScrollBar(_ view: FeedView, x: Int, top: Int, height: Int) {
        let share = view.window.height / max(view.window.column.contentHeight, view.window.height)
        let length = max(Int(Double(height) * share), Int(24 * window.scale))
        let way = max(view.window.column.contentHeight - view.window.height, 1)
        let y = top + Int(Double(height - length) * min(view.window.offset / way, 1))
        fill(x, y, Int(3 * window.scale), length, CellStyle.scrollBar)
    }

    private func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: Color) {
        guard width > 0, height > 0 else { return }
        func byte(_ component: Double) -> UInt8 { UInt8((component * 255).rounded()) }
        SDL_SetRenderDrawColor(window.renderer, byte(color.red), byte(color.green), byte(color.blue), 255)
        var rect = SDL_Rect(x: Int32(x), y: Int32(y), w: Int32(width), h: Int32(height))
        SDL_RenderFillRect(window.renderer, &rect)
    }

    private func copy(_ texture: Texture?, x: Int, y: Int) {
        guard let texture else { return }
        let content = texture.contentSize
        let extent = texture.extent(scale: window.scale)
        var source = SDL_Rect(x: 0, y: 0, w: Int32(content.width), h: Int32(content.height))
        var target = SDL_Rect(x: Int32(x), y: Int32(y), w: Int32(extent.width), h: Int32(extent.height))
        SDL_RenderCopy(window.renderer, texture.pointer, &source, &target)
    }
}
