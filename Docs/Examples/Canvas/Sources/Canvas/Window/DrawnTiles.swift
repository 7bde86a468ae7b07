import AsyncLayers
import CSDL2
import CairoRendering
import SDLWindows
import TiledLayers

/// A window's tiles: their textures, and where they are drawn.
@MainActor
final class DrawnTiles {
    private let window: Window
    private let textures = TileTextures<Texture>()
    /// Where tiles were drawn last.
    private(set) var placed: [PlacedTile] = []
    /// What was copied to textures so far.
    private(set) var uploadedBytes = 0

    init(_ window: Window) { self.window = window }

    var count: Int { textures.count }

    /// The window's textures are lost.
    func removeAll(of layer: TiledLayer<CairoRenderer>) { textures.removeAll(of: layer) }

    /// Has the renderer draw a layer's tiles where they are to be, and the margin around the page. SDL keeps
    /// no picture of a window, so all of it is drawn.
    @discardableResult
    func draw(_ layer: TiledLayer<CairoRenderer>, margin: Color = Palette.margin) -> TileChanges {
        let frame = textures.update(from: layer) { upload($0, $1) }
        placed = frame.changes.placed
        func byte(_ component: Double) -> UInt8 { UInt8((component * 255).rounded()) }
        SDL_SetRenderDrawBlendMode(window.renderer, SDL_BLENDMODE_BLEND)
        SDL_SetRenderDrawColor(
            window.renderer, byte(margin.red), byte(margin.green), byte(margin.blue), 255)
        SDL_RenderClear(window.renderer)
        for (texture, place) in frame.placed { draw(texture, place) }
        SDL_RenderSetClipRect(window.renderer, nil)
        return frame.changes
    }

    private func upload(_ image: CairoImage, _ former: TileTextures<Texture>.Former?) -> Texture? {
        if let (texture, pixels) = former {
            texture.update(pixels, from: image)
            uploadedBytes += 4 * pixels.area
            return texture
        }
        uploadedBytes += image.byteCount
        return Texture(window, image)
    }

    /// SDL takes the source in whole pixels, and its software renderer the destination, too. So where a tile
    /// is stretched, the pixels around the source are drawn, as large as they are there, and the destination
    /// cuts them.
    private func draw(_ texture: Texture, _ place: PlacedTile) {
        let (wanted, target) = (place.source, place.destination)
        let scale = Double(target.width) / wanted.size.width
        let isExact = scale == 1
        let source = isExact ? wanted : wanted.inset(by: -1).integral
        let used = source.intersection(Rect(size: texture.size)) ?? wanted
        let move = Point(x: Double(target.minX), y: Double(target.minY)) - wanted.origin * scale
        let exact = (used * scale).moved(by: move)
        let destination = isExact ? exact : exact.integral
        var clip = SDL_Rect(target)
        var from = SDL_Rect(used)
        var to = SDL_FRect(
            x: Float(destination.minX), y: Float(destination.minY), w: Float(destination.size.width),
            h: Float(destination.size.height))
        SDL_RenderSetClipRect(window.renderer, &clip)
        SDL_RenderCopyF(window.renderer, texture.pointer, &from, &to)
    }
}

/// A picture on SDL's side.
@MainActor
final class Texture {
    let pointer: OpaquePointer
    let (width, height): (Int, Int)
    var size: Size { Size(width: Double(width), height: Double(height)) }
    /// Kept alive: textures are given back before their renderer.
    private let window: Window

    /// Uploads a picture. Nil if there is no room for it.
    init?(_ window: Window, _ image: CairoImage) {
        (self.window, width, height) = (window, image.pixelWidth, image.pixelHeight)
        guard
            let pointer = SDL_CreateTexture(
                window.renderer, CSDL_PIXELFORMAT_ARGB8888, Int32(SDL_TEXTUREACCESS_STATIC.rawValue),
                Int32(width), Int32(height))
        else { return nil }
        self.pointer = pointer
        // Cairo's colours are multiplied by their alpha. SDL's software renderer has no such blending; there
        // tiles replace what is behind them, which is the same for a page that is opaque.
        let premultiplied = SDL_ComposeCustomBlendMode(
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD,
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD)
        if SDL_SetTextureBlendMode(pointer, premultiplied) != 0 {
            SDL_SetTextureBlendMode(pointer, SDL_BLENDMODE_NONE)
        }
        // Tiles of another scale; where pixel meets pixel it changes nothing.
        SDL_SetTextureScaleMode(pointer, SDL_ScaleModeLinear)
        update(PixelRect(minX: 0, minY: 0, maxX: width, maxY: height), from: image)
    }

    isolated deinit { SDL_DestroyTexture(pointer) }

    /// Copies pixels of a picture of the same size, whose format is SDL's ARGB8888, too.
    func update(_ area: PixelRect, from image: CairoImage) {
        var rect = SDL_Rect(area)
        image.withUnsafeBytes { bytes in
            let start = bytes.baseAddress! + area.minY * image.bytesPerRow + 4 * area.minX
            _ = SDL_UpdateTexture(pointer, &rect, start, Int32(image.bytesPerRow))
        }
    }
}

extension SDL_Rect {
    init(_ rect: Rect) {
        self.init(
            x: Int32(rect.minX), y: Int32(rect.minY), w: Int32(rect.size.width), h: Int32(rect.size.height))
    }

    init(_ rect: PixelRect) {
        self.init(x: Int32(rect.minX), y: Int32(rect.minY), w: Int32(rect.width), h: Int32(rect.height))
    }
}
