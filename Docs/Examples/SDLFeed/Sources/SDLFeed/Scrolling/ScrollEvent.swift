/// What happened to the scroll, for those who decide which rows to draw.
enum ScrollEvent: Equatable, Sendable {
    /// A finger is on the content.
    case touched
    /// The content goes on by itself, and will stop at this offset.
    case released(target: Double)
    /// The content has come to rest.
    case rested
}
