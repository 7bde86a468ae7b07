/// What a layer shows.
enum Picture<Contents: Sendable>: Sendable {
    case whole(Contents)
    case tiles([ContentsTile<Contents>])
}

/// A part of a picture that was drawn in tiles.
public struct ContentsTile<Contents: Sendable>: Sendable {
    let contents: Contents
}
