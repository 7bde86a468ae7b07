/// A part of a picture that was drawn in tiles, and its place in the whole, in pixels.
///
/// The tiles of a picture cover it without gap and without overlap; put side by side they are what one
/// context of the whole size would have held.
public struct ContentsTile<Contents> {
    /// The column of the whole picture that the tile begins with, counted from 0 at the left.
    public let pixelOriginX: Int
    /// The row of the whole picture that the tile begins with, counted from 0 at the top.
    public let pixelOriginY: Int
    /// Width in pixels, at least 1.
    public let pixelWidth: Int
    /// Height in pixels, at least 1.
    public let pixelHeight: Int
    /// What the tile shows.
    public let contents: Contents

    /// The tile that a context of this description became.
    package init(_ description: ContextDescription, contents: consuming Contents) {
        pixelOriginX = description.pixelOriginX
        pixelOriginY = description.pixelOriginY
        pixelWidth = description.pixelWidth
        pixelHeight = description.pixelHeight
        self.contents = contents
    }
}

extension ContentsTile: Sendable where Contents: Sendable {}
