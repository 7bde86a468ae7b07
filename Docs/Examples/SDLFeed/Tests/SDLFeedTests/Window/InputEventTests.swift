import AsyncLayers
import CSDL2
import Testing

@testable import SDLFeed

@Suite("SDL's events")
struct InputEventTests {
    private func event(_ type: SDL_EventType, _ set: (inout SDL_Event) -> Void = { _ in }) -> InputEvent? {
        var event = SDL_Event()
        event.type = type.rawValue
        set(&event)
        return InputEvent(event)
    }

    @Test("of the left button press, move and release")
    func mouse() {
        func set(_ event: inout SDL_Event) {
            event.button.button = UInt8(SDL_BUTTON_LEFT)
            event.button.x = 12
            event.button.y = 34
        }
        let point = Point(x: 12, y: 34)
        #expect(event(SDL_MOUSEBUTTONDOWN, set) == .press(point))
        #expect(event(SDL_MOUSEBUTTONUP, set) == .release(point))
        #expect(event(SDL_MOUSEBUTTONDOWN) { $0.button.button = UInt8(SDL_BUTTON_RIGHT) } == nil)
        let moved = event(SDL_MOUSEMOTION) {
            $0.motion.x = 5
            $0.motion.y = 6
        }
        #expect(moved == .move(Point(x: 5, y: 6)))
    }

    @Test("of the wheel go the way that the user has chosen")
    func wheel() {
        #expect(event(SDL_MOUSEWHEEL) { $0.wheel.preciseY = -1.5 } == .wheel(-1.5))
        let flipped = event(SDL_MOUSEWHEEL) {
            $0.wheel.preciseY = -1.5
            $0.wheel.direction = SDL_MOUSEWHEEL_FLIPPED.rawValue
        }
        #expect(flipped == .wheel(-1.5))
    }

    @Test(
        "of keys that scroll are input, others not",
        arguments: [
            (SDLK_UP, .key(.up)), (SDLK_DOWN, .key(.down)), (SDLK_PAGEUP, .key(.pageup)),
            (SDLK_PAGEDOWN, .key(.pagedown)), (SDLK_HOME, .key(.home)), (SDLK_END, .key(.end)),
            (SDLK_ESCAPE, .quit), (SDLK_q, .quit), (SDLK_a, nil),
        ] as [(SDL_KeyCode, InputEvent?)])
    func keys(code: SDL_KeyCode, input: InputEvent?) {
        #expect(event(SDL_KEYDOWN) { $0.key.keysym.sym = SDL_Keycode(code.rawValue) } == input)
    }

    @Test("that close the window quit")
    func quit() {
        #expect(event(SDL_QUIT) == .quit)
        #expect(event(SDL_KEYUP) == nil)
    }
}
