/// What a layer shows.
enum Picture<Contents: Sendable>: Sendable {
    case whole(Contents)
    case tiles([ContentsTile<Contents>])
}
