import AsyncLayers
import CSDL2

/// What the reader does to the window, in points.
enum InputEvent: Equatable {
    case press(Point)
    case move(Point)
    case release(Point)
    /// Notches; below zero down the feed.
    case wheel(Double)
    case key(ScrollKey)
    case quit
}

extension InputEvent {
    /// Nil for what the feed takes no notice of.
    init?(_ event: SDL_Event) {
        func point(_ x: Int32, _ y: Int32) -> Point { Point(x: Double(x), y: Double(y)) }
        switch SDL_EventType(event.type) {
        case SDL_QUIT: self = .quit
        case SDL_MOUSEBUTTONDOWN where event.button.button == SDL_BUTTON_LEFT:
            self = .press(point(event.button.x, event.button.y))
        case SDL_MOUSEBUTTONUP where event.button.button == SDL_BUTTON_LEFT:
            self = .release(point(event.button.x, event.button.y))
        case SDL_MOUSEMOTION: self = .move(point(event.motion.x, event.motion.y))
        case SDL_MOUSEWHEEL:
            // As it is: a flipped one already goes the way that the user has chosen.
            self = .wheel(Double(event.wheel.preciseY))
        case SDL_KEYDOWN:
            switch Int(event.key.keysym.sym) {
            case Int(SDLK_ESCAPE.rawValue), Int(SDLK_q.rawValue): self = .quit
            case let code:
                guard let key = Self.keys[code] else { return nil }
                self = .key(key)
            }
        default: return nil
        }
    }

    private static let keys: [Int: ScrollKey] = [
        Int(SDLK_UP.rawValue): .up, Int(SDLK_DOWN.rawValue): .down, Int(SDLK_PAGEUP.rawValue): .pageup,
        Int(SDLK_PAGEDOWN.rawValue): .pagedown, Int(SDLK_HOME.rawValue): .home, Int(SDLK_END.rawValue): .end,
    ]
}

extension InputEvent {
    func mappingPoints(_ map: (Point) -> Point) -> InputEvent {
        switch self {
        case .press(let point): .press(map(point))
        case .move(let point): .move(map(point))
        case .release(let point): .release(map(point))
        default: self
        }
    }
}
