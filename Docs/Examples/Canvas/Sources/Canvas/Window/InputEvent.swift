import AsyncLayers
import CSDL2

/// What the user does to the window, with places in units of the display.
enum InputEvent: Equatable {
    case press(Point)
    case move(Point)
    case release
    /// Notches to the right and up, where the pointer is, and whether ctrl is held.
    case wheel(Point, at: Point, zooms: Bool)
    case text(String)
    case key(Key, isControl: Bool)
    case quit

    enum Key: Equatable {
        case left, right, up, down, home, end, backspace, delete, enter, escape, plus, minus, zero
        case letter(Character)
    }

    /// Nil for what means nothing here.
    init?(_ event: SDL_Event) {
        func point(_ x: Int32, _ y: Int32) -> Point { Point(x: Double(x), y: Double(y)) }
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
            guard let key = Self.key(Int(event.key.keysym.sym)) else { return nil }
            self = .key(key, isControl: Self.isControlHeld)
        default: return nil
        }
    }

    private static var isControlHeld: Bool { SDL_GetModState().rawValue & KMOD_CTRL.rawValue != 0 }

    private static func key(_ code: Int) -> Key? {
        if let key = keys[code] { return key }
        guard (97...122).contains(code) else { return nil }
        return .letter(Character(Unicode.Scalar(UInt8(code))))
    }

    private static let keys: [Int: Key] = [
        Int(SDLK_LEFT.rawValue): .left, Int(SDLK_RIGHT.rawValue): .right, Int(SDLK_UP.rawValue): .up,
        Int(SDLK_DOWN.rawValue): .down, Int(SDLK_HOME.rawValue): .home, Int(SDLK_END.rawValue): .end,
        Int(SDLK_BACKSPACE.rawValue): .backspace, Int(SDLK_DELETE.rawValue): .delete,
        Int(SDLK_RETURN.rawValue): .enter, Int(SDLK_KP_ENTER.rawValue): .enter,
        Int(SDLK_ESCAPE.rawValue): .escape, Int(SDLK_PLUS.rawValue): .plus, Int(SDLK_EQUALS.rawValue): .plus,
        Int(SDLK_KP_PLUS.rawValue): .plus, Int(SDLK_MINUS.rawValue): .minus,
        Int(SDLK_KP_MINUS.rawValue): .minus, Int(SDLK_0.rawValue): .zero, Int(SDLK_KP_0.rawValue): .zero,
    ]
}
