public import AsyncLayers
import CSDL2
public import CairoRendering
public import FeedKit

/// An SDL window and its renderer.
@MainActor
public final class Window {
    /// SDL's renderer, for as long as the window exists.
    public let renderer: OpaquePointer
    /// True if showing a frame waits for the display; then the display keeps the time.
    public let waitsForDisplay: Bool
    /// The time between two of the display's frames.
    public let refreshInterval: Duration

    private let window: OpaquePointer
    private let fixedScale: Double?

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - size: in points.
    ///   - minimumSize: in points.
    ///   - scale: pixels per point, for a size in pixels other than the display's own; nil asks the display.
    /// - Throws: ``ProgramError`` if there is no display.
    public init(
        title: String, size: Size, minimumSize: Size, scale: Double? = nil
    ) throws(ProgramError) {
        SDL_SetMainReady()
        // Pixel by pixel: smoothing would blur the text.
        SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest")
        guard SDL_Init(CSDL_INIT_VIDEO) == 0 else { throw Self.error("SDL cannot begin") }
        fixedScale = scale
        let (extent, minimum) = (size * (scale ?? 1), minimumSize * (scale ?? 1))
        let flags =
            SDL_WINDOW_RESIZABLE.rawValue | (scale == nil ? SDL_WINDOW_ALLOW_HIGHDPI.rawValue : 0)
        guard
            let window = SDL_CreateWindow(
                title, CSDL_WINDOWPOS_CENTERED, CSDL_WINDOWPOS_CENTERED, Int32(extent.width.rounded()),
                Int32(extent.height.rounded()), flags)
        else { throw Self.error("there is no window") }
        guard
            let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
                ?? SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
        else { throw Self.error("there is no renderer") }
        self.window = window
        self.renderer = renderer
        SDL_SetWindowMinimumSize(window, Int32(minimum.width.rounded()), Int32(minimum.height.rounded()))
        SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_NONE)

        var info = SDL_RendererInfo()
        SDL_GetRendererInfo(renderer, &info)
        let isSoftware = info.flags & SDL_RENDERER_SOFTWARE.rawValue != 0
        waitsForDisplay = !isSoftware && info.flags & SDL_RENDERER_PRESENTVSYNC.rawValue != 0
        var mode = SDL_DisplayMode()
        SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window), &mode)
        refreshInterval = .seconds(1) / (mode.refresh_rate > 0 ? Int(mode.refresh_rate) : 60)
    }

    isolated deinit {
        SDL_DestroyRenderer(renderer)
        SDL_DestroyWindow(window)
        SDL_Quit()
    }

    /// In pixels.
    public var pixelSize: (width: Int, height: Int) {
        var (width, height) = (Int32(0), Int32(0))
        SDL_GetRendererOutputSize(renderer, &width, &height)
        return (Int(width), Int(height))
    }

    /// In points.
    public var size: Size {
        let (width, height) = pixelSize
        return Size(width: Double(width) / scale, height: Double(height) / scale)
    }

    /// Pixels per point: how many pixels the renderer has for each unit of the window's size.
    public var scale: Double {
        if let fixedScale { return fixedScale }
        var (width, height) = (Int32(0), Int32(0))
        SDL_GetWindowSize(window, &width, &height)
        return width > 0 ? Double(pixelSize.width) / Double(width) : 1
    }

    /// Points for each unit of the mouse's places.
    public var pointsPerUnit: Double { fixedScale.map { 1 / $0 } ?? 1 }

    /// What the renderer was told to draw since the last frame was shown.
    public func capture() throws -> CairoImage {
        let (width, height) = pixelSize
        return try CairoImage(pixelWidth: width, pixelHeight: height, scale: scale, isOpaque: true) {
            bytes, bytesPerRow in
            let status = SDL_RenderReadPixels(
                renderer, nil, CSDL_PIXELFORMAT_ARGB8888, bytes.baseAddress, Int32(bytesPerRow))
            guard status == 0 else { throw Self.error("the window cannot be read") }
        }
    }

    private static func error(_ reason: String) -> ProgramError {
        ProgramError(.unavailable, "\(reason): \(String(cString: SDL_GetError()))")
    }
}
