import AsyncLayers
import CSDL2
import CairoRendering
import FeedKit

/// An SDL window and its renderer.
@MainActor
final class Window {
    let renderer: OpaquePointer
    /// True if showing a frame waits for the display.
    let waitsForDisplay: Bool
    private let window: OpaquePointer

    /// - Parameter isHeadless: whether a window in memory does where there is no display.
    init(title: String, isHeadless: Bool) throws(ProgramError) {
        SDL_SetMainReady()
        if isHeadless {
            SDL_SetHint(SDL_HINT_RENDER_DRIVER, "software")
            if SDL_getenv("DISPLAY") == nil, SDL_getenv("WAYLAND_DISPLAY") == nil {
                SDL_setenv("SDL_VIDEODRIVER", "dummy", 0)
            }
        }
        guard SDL_Init(CSDL_INIT_VIDEO) == 0 else { throw Self.error("SDL cannot begin") }
        let flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        guard
            let window = SDL_CreateWindow(
                title, CSDL_WINDOWPOS_CENTERED, CSDL_WINDOWPOS_CENTERED, 1_280, 800, flags)
        else { throw Self.error("there is no window") }
        guard
            let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
                ?? SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
        else { throw Self.error("there is no renderer") }
        (self.window, self.renderer) = (window, renderer)
        var info = SDL_RendererInfo()
        SDL_GetRendererInfo(renderer, &info)
        waitsForDisplay =
            info.flags & SDL_RENDERER_SOFTWARE.rawValue == 0
            && info.flags & SDL_RENDERER_PRESENTVSYNC.rawValue != 0
    }

    isolated deinit {
        SDL_DestroyRenderer(renderer)
        SDL_DestroyWindow(window)
        SDL_Quit()
    }

    /// In pixels.
    var size: Size {
        var (width, height) = (Int32(0), Int32(0))
        SDL_GetRendererOutputSize(renderer, &width, &height)
        return Size(width: Double(max(width, 1)), height: Double(max(height, 1)))
    }

    /// Pixels for each unit of the mouse's places.
    var pixelsPerUnit: Double {
        var (width, height) = (Int32(0), Int32(0))
        SDL_GetWindowSize(window, &width, &height)
        return width > 0 ? size.width / Double(width) : 1
    }

    /// What the renderer was told to draw since the last frame was shown.
    func capture() throws -> CairoImage {
        try CairoImage(pixelWidth: Int(size.width), pixelHeight: Int(size.height), isOpaque: true) {
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

/// The event that ends SDL's waiting when there is something to do on the main actor.
enum WakeEvent {
    private static let type = SDL_RegisterEvents(1)

    /// From any thread.
    static func push() {
        var event = SDL_Event()
        event.type = type
        SDL_PushEvent(&event)
    }
}
