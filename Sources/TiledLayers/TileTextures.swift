public import AsyncLayers

/// A texture for each tile, as a program's graphics library has them: made of a tile's picture, changed where
/// the picture has changed, and released with the tile.
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
/// those of a tile that was edited, so that the next edit is drawn only where it changes them. One value can
/// serve several layers. *Main-actor isolated*, with all that its closures call.
@MainActor
public final class TileTextures<Texture> {
    /// A tile's texture so far, and the pixels of it that differ from the tile's picture.
    public typealias Former = (texture: Texture, pixels: PixelRect)

    /// What to draw in a frame.
    public struct Frame {
        /// The pieces of the view, in any order; they do not overlap. Those without a texture are left out.
        public let placed: [(texture: Texture, place: PlacedTile)]
        /// What has changed since the last frame. A program that keeps its composed picture draws only what
        /// lies in ``TileChanges/damage``.
        public let changes: TileChanges
    }

    private var textures: [TileID: Texture] = [:]
    /// Tiles whose pictures are to be uploaded, also those for which there was no room.
    private var pending: Set<TileID> = []

    /// Has no texture.
    public init() {}

    /// The last references to textures are dropped on the main actor.
    isolated deinit {}

    /// The number of textures.
    public var count: Int { textures.count }

    /// Takes a layer's changes (``TiledLayer/takeChanges()``), and applies them to the textures.
    ///
    /// - Parameters:
    ///   - layer: after ``TiledLayer/show(_:scale:isMoving:)``.
    ///   - upload: makes a texture of a picture; or changes a former one, and returns it or another in its
    ///     place. Nil if the graphics library has no room: the tile is uploaded in the next frame then, and
    ///     until then is not drawn, or with its former texture.
    ///   - remove: releases the texture of a tile that is gone. Default: does nothing but drop the reference.
    /// - Returns: what to draw.
    /// - Complexity: O(tiles in view), and O(changes) calls of the closures.
    public func update<R: Renderer>(
        from layer: TiledLayer<R>, upload: (R.Contents, Former?) throws -> Texture?,
        remove: (Texture) -> Void = { _ in }
    ) rethrows -> Frame {
        let changes = layer.takeChanges()
        for id in changes.removed {
            pending.remove(id)
            if let texture = textures.removeValue(forKey: id) { remove(texture) }
        }
        var changed: [TileID: PixelRect] = [:]
        for (id, pixels) in changes.changed { changed[id] = pixels }
        // Before a closure throws: what is not uploaded now is uploaded later.
        let earlier = pending
        pending.formUnion(changes.added)
        pending.formUnion(changed.keys)
        for id in pending.sorted(by: { $0.number < $1.number }) {
            guard let contents = layer.contents(of: id) else { continue }
            let pixels = earlier.contains(id) ? nil : changed[id]
            let former = pixels.flatMap { pixels in textures[id].map { Former($0, pixels) } }
            guard let texture = try upload(contents, former) else { continue }
            if former == nil, let replaced = textures[id] { remove(replaced) }
            textures[id] = texture
            pending.remove(id)
            if changed[id] == nil { layer.didUpload(id) }
        }
        return Frame(
            placed: changes.placed.compactMap { place in textures[place.id].map { ($0, place) } },
            changes: changes)
    }

    /// All textures are lost, as when a window's context is, or were released: a layer's tiles are uploaded
    /// again in the next frames (``TiledLayer/forgetUploads()``).
    public func removeAll<R: Renderer>(of layer: TiledLayer<R>) {
        textures = [:]
        pending = []
        layer.forgetUploads()
    }
}
