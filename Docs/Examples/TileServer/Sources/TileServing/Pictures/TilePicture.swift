/// What the tiles show. For a map of your own write one of these; the rest of the server stays as it is.
public protocol TilePicture: Sendable {
    /// Draws one row of a tile, from the left. Called on a pool's thread, the rows of a tile in order;
    /// between two rows a draw that no client waits for any more is stopped.
    ///
    /// - Parameter pixels: as many as the tile is wide, each 0xRRGGBB.
    func draw(row: Int, of tile: TileAddress, into pixels: UnsafeMutableBufferPointer<UInt32>)
}
