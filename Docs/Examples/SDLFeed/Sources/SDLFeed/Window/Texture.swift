import CSDL2
import CairoRendering

/// A picture on SDL's side: in the graphics card's memory, or in a surface of the software renderer's.
@MainActor
final class Texture {
    let pointer: OpaquePointer
    let pixelWidth: Int
    let pixelHeight: Int
    /// What was uploaded last. Not kept alive: the layer that shows it does that, and lets it go off the main
    /// thread.
    private(set) weak var image: CairoImage?
    /// The extent of what was uploaded last, in pixels.
    private(set) var contentSize: (width: Int, height: Int) = (0, 0)
    /// Its pixels per point.
    private var contentScale = 1.0

    /// A texture is to be given back before its renderer is.
    private let owner: AnyObject

    /// Nil if there is no room for it.
    ///
    /// - Parameter owner: of the renderer; kept alive.
    init?(_ renderer: OpaquePointer, of owner: AnyObject, pixelWidth: Int, pixelHeight: Int) {
        guard
            let pointer = SDL_CreateTexture(
                renderer, CSDL_PIXELFORMAT_ARGB8888, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
                Int32(pixelWidth), Int32(pixelHeight))
        else { return nil }
        self.pointer = pointer
        self.owner = owner
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        // All that the feed shows is opaque. (What is not would need a blend mode of its own, since Cairo's
        // colours are multiplied by their alpha:
        // `SDL_ComposeCustomBlendMode(ONE, ONE_MINUS_SRC_ALPHA, ADD, …)`.)
        SDL_SetTextureBlendMode(pointer, SDL_BLENDMODE_NONE)
    }

    isolated deinit { SDL_DestroyTexture(pointer) }

    /// Copies a picture's pixels, whose format is SDL's ARGB8888, too; does nothing if they are there.
    func upload(_ image: CairoImage) {
        guard image !== self.image else { return }
        var area = SDL_Rect(x: 0, y: 0, w: Int32(image.pixelWidth), h: Int32(image.pixelHeight))
        image.withUnsafeBytes { bytes in
            _ = SDL_UpdateTexture(pointer, &area, bytes.baseAddress, Int32(image.bytesPerRow))
        }
        self.image = image
        contentSize = (image.pixelWidth, image.pixelHeight)
        contentScale = image.scale
    }

    /// How many of a window's pixels the content takes: others than its own while it is still the one drawn
    /// for another display.
    ///
    /// - Parameter scale: the window's pixels per point.
    func extent(scale: Double) -> (width: Int, height: Int) {
        guard scale != contentScale else { return contentSize }
        func scaled(_ pixels: Int) -> Int { Int((Double(pixels) * scale / contentScale).rounded()) }
        return (scaled(contentSize.width), scaled(contentSize.height))
    }
}
