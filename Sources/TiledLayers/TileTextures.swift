public import AsyncLayers

/// A texture for each tile of a layer, as a program's graphics library has them: made of a tile's picture,
/// changed where the picture has changed, and removed with the tile.
///
///     let textures = TileTextures<Texture>()
///     // in a frame:
///     let frame = textures.update(from: layer) { bitmap, former in
///         guard let (texture, pixels) = former else { return Texture(bitmap) }
///         texture.replace(pixels, from: bitmap)
///         return texture
///     }
///     for (texture, place) in frame.placed { draw(texture, place.source, place.destination) }
///
/// A texture has the pixels of its tile, so the layer releases them (``TiledLayer/didUpload(_:)``). It keeps
/// those of a tile that was edited, so that the next edit is drawn only where it changes them.
///
/// One value serves one layer, whose changes no other code may take. *Main-actor isolated*, with all that its
/// closures call.
@MainActor
public final class TileTextures<Texture> {
    /// A tile's texture so far, and the pixels of it that differ from the tile's picture.
    public typealias Former = (texture: Texture, pixels: PixelRect)

    /// The pieces and the changes of a frame.
    public struct Frame {
        /// The pieces of the view, in any order; they do not overlap. Those without a texture are left out.
        public let placed: [(texture: Texture, place: PlacedTile)]
        /// What has changed since the last frame. A program that keeps its composed picture draws only what
        /// lies in ``TileChanges/damage``, which is all of the view after a frame that was not complete, or
        /// threw an error.
        public let changes: TileChanges
        /// False if there was no room for some textures: they are tried again in the next frame, for which no
        /// `onChange` is called.
        public let isComplete: Bool
    }

    private var textures: [TileID: Texture] = [:]
    /// Tiles whose pictures are to be uploaded, also those for which there was no room.
    private var pending: Set<TileID> = []
    private weak var layer: AnyObject?

    /// Has no texture.
    public init() {}

    /// The last references to textures are dropped on the main actor.
    isolated deinit {}

    /// The number of textures.
    public var count: Int { textures.count }

    /// Takes the layer's changes (``TiledLayer/takeChanges()``), and applies them to the textures.
    ///
    /// - Parameters:
    ///   - layer: after ``TiledLayer/show(_:scale:isMoving:)``. Traps if it is another one than before.
    ///   - upload: makes a texture of a picture; or changes a former one, and returns it, or another in its
    ///     place after it has ended that. Nil if the graphics library has no room: until a later frame
    ///     succeeds, the tile is not drawn, or with its former texture.
    ///   - remove: ends the texture of a tile that exists no more. Default: only the reference is dropped.
    /// - Returns: the frame to draw.
    /// - Throws: the error that `upload` throws. The tile, and those that were to be uploaded after it, are
    ///   uploaded in the next frame.
    /// - Complexity: O(tiles in view), and a call of a closure for each tile that has changed or is pending.
    public func update<R: Renderer>(
        from layer: TiledLayer<R>, upload: (R.Contents, Former?) throws -> Texture?,
        remove: (Texture) -> Void = { _ in }
    ) rethrows -> Frame {
        serve(layer)
        let pipeline = layer.pipeline
        let changes = layer.takeChanges()
        for id in changes.removed {
            pending.remove(id)
            if let texture = textures.removeValue(forKey: id) { remove(texture) }
        }
        let changed = Dictionary(changes.changed.map { ($0.id, $0.pixels) }, uniquingKeysWith: { $1 })
        let earlier = pending
        pending.formUnion(changes.added)
        pending.formUnion(changed.keys)
        // A picture that is not shown in this frame is damage of the next one.
        defer { if !pending.isEmpty { pipeline.handOut.composed = nil } }
        for id in pending.sorted(by: { $0.number < $1.number }) {
            guard let tile = pipeline.tiles[id], let contents = layer.contents(of: id) else {
                pending.remove(id)
                continue
            }
            let whole = PixelRect(
                minX: 0, minY: 0, maxX: tile.drawnFrame.width, maxY: tile.drawnFrame.height)
            let pixels = earlier.contains(id) ? whole : changed[id] ?? whole
            let former = textures[id].map { Former($0, pixels) }
            guard let texture = try upload(contents, former) else { continue }
            textures[id] = texture
            pending.remove(id)
            if former == nil || pixels == whole { layer.didUpload(id) }
        }
        return Frame(
            placed: changes.placed.compactMap { place in textures[place.id].map { ($0, place) } },
            changes: changes, isComplete: pending.isEmpty)
    }

    /// Removes all textures, which are lost, as when a window's context is, or which the program has ended:
    /// the layer's tiles are uploaded again in the next frames (``TiledLayer/forgetUploads()``).
    public func removeAll<R: Renderer>(of layer: TiledLayer<R>) {
        serve(layer)
        textures = [:]
        pending = []
        layer.forgetUploads()
    }

    private func serve(_ newest: AnyObject) {
        guard layer == nil || layer === newest else {
            fatalError("a TileTextures serves one layer; make one for each")
        }
        layer = newest
    }
}
