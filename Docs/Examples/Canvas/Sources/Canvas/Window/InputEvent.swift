import AsyncLayers
import CSDL2

/// What the user does to the window, with places in pixels.
enum InputEvent: Equatable {
    case press(Point)
    case move(Point)
    case release
    /// Notches to the right and up, where the pointer is, and whether ctrl is held.
    case wheel(Point, at: Point, zooms: Bool)
    case text(String)
    case key(Key, isControl: Bool)
    case quit

    /// With SDL's codes (`SDL_KeyCode`).
    enum Key: Int {
        case home = 0x4000_004A, end = 0x4000_004D, right = 0x4000_004F, left, down, up
        case backspace = 8, enter = 13, escape = 27, delete = 127
        case plus = 43, minus = 45, zero = 48, equals = 61, o = 111, q = 113
    }

    /// Nil for what means nothing here.
    ///
    /// - Parameter pixelsPerUnit: of the places that SDL tells.
    init?(_ event: SDL_Event, pixelsPerUnit: Double) {
        func point(_ x: Int32, _ y: Int32) -> Point { Point(x: Double(x), y: Double(y)) * pixelsPerUnit }
        switch SDL_EventType(event.type) {
        case SDL_QUIT: self = .quit
        case SDL_MOUSEBUTTONDOWN where event.button.button == SDL_BUTTON_LEFT:
            self = .press(point(event.button.x, event.button.y))
        case SDL_MOUSEBUTTONUP where event.button.button == SDL_BUTTON_LEFT: self = .release
        case SDL_MOUSEMOTION: self = .move(point(event.motion.x, event.motion.y))
        case SDL_MOUSEWHEEL:
            self = .wheel(
                Point(x: Double(event.wheel.preciseX), y: Double(event.wheel.preciseY)),
                at: point(event.wheel.mouseX, event.wheel.mouseY), zooms: Self.isControlHeld)
        case SDL_TEXTINPUT:
            let bytes = withUnsafeBytes(of: event.text.text) { Array($0.prefix { $0 != 0 }) }
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SDL_KEYDOWN:
            guard let key = Key(rawValue: Int(event.key.keysym.sym)) else { return nil }
            self = .key(key, isControl: Self.isControlHeld)
        default: return nil
        }
    }

    private static var isControlHeld: Bool { SDL_GetModState().rawValue & KMOD_CTRL.rawValue != 0 }
}
