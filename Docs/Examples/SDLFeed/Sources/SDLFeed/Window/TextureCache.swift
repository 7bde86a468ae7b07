import AsyncLayers
import CSDL2
import CairoRendering

/// A texture for each layer in view, uploaded when the layer's contents change and at no other time.
///
/// Textures of layers that have left serve others. Their heights are rounded up, so that most of them fit.
@MainActor
final class TextureCache {
    private struct Entry {
        let texture: Texture
        var lastFrame: Int
    }

    private let renderer: OpaquePointer
    private let owner: AnyObject
    private var inUse: [ObjectIdentifier: Entry] = [:]
    private var spare: [Texture] = []
    private var frame = 0

    private static let heightStep = 128
    private static let spareLimit = 8

    /// - Parameter owner: of the renderer; kept alive.
    init(renderer: OpaquePointer, of owner: AnyObject) {
        self.renderer = renderer
        self.owner = owner
    }

    /// What a layer shows, uploaded; nil if it shows nothing.
    func texture(of layer: AsyncLayer<CairoRenderer>) -> Texture? {
        guard let image = layer.contents else { return nil }
        return texture(of: image, for: layer)
    }

    /// A picture, uploaded.
    ///
    /// - Parameter owner: has one texture, as long as it is asked for in each frame.
    func texture(of image: CairoImage, for owner: AnyObject) -> Texture? {
        let id = ObjectIdentifier(owner)
        if let entry = inUse[id] {
            if entry.texture.hasRoom(for: image) {
                inUse[id]?.lastFrame = frame
                entry.texture.upload(image)
                return entry.texture
            }
            inUse[id] = nil
            shelve(entry.texture)
        }
        guard let texture = takeSpare(for: image) ?? makeTexture(for: image) else { return nil }
        inUse[id] = Entry(texture: texture, lastFrame: frame)
        texture.upload(image)
        return texture
    }

    /// What was not requested since the last call is free.
    func endFrame() {
        for (id, entry) in inUse where entry.lastFrame != frame {
            inUse[id] = nil
            shelve(entry.texture)
        }
        frame += 1
    }

    /// The renderer has lost all textures.
    func removeAll() {
        inUse = [:]
        spare = []
    }

    private func shelve(_ texture: Texture) {
        if spare.count < Self.spareLimit { spare.append(texture) }
    }

    private func takeSpare(for image: CairoImage) -> Texture? {
        spare.firstIndex { $0.hasRoom(for: image) }.map { spare.remove(at: $0) }
    }

    private func makeTexture(for image: CairoImage) -> Texture? {
        let height = (image.pixelHeight + Self.heightStep - 1) / Self.heightStep * Self.heightStep
        return Texture(renderer, of: owner, pixelWidth: image.pixelWidth, pixelHeight: height)
    }
}

extension Texture {
    fileprivate func hasRoom(for image: CairoImage) -> Bool {
        pixelWidth == image.pixelWidth && pixelHeight >= image.pixelHeight
    }
}
