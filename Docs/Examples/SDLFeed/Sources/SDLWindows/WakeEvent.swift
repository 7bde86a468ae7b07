import CSDL2

/// The event that ends `SDL_WaitEvent` when there is something to do on the main actor: a picture is drawn, a
/// layer is to be displayed.
public enum WakeEvent {
    private static let type = SDL_RegisterEvents(1)

    /// From any thread.
    public static func push() {
        var event = SDL_Event()
        event.type = type
        SDL_PushEvent(&event)
    }
}
