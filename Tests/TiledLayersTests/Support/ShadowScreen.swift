import AsyncLayers
import BitmapRendering
import Testing
import TiledLayers

/// A program's textures and window: what was uploaded, and nothing else.
@MainActor
final class ShadowScreen {
    private struct Texture {
        let width: Int
        var pixels: [Bitmap.Pixel]
    }

    private let layer: TiledLayer<BitmapRenderer>
    private var textures: [TileID: Texture] = [:]
    private(set) var pixels: [Bitmap.Pixel?] = []
    private(set) var width = 0
    private(set) var height = 0
    private(set) var newest = TileChanges()
    private(set) var uploadedPixels = 0
    private(set) var frameCount = 0

    init(_ layer: TiledLayer<BitmapRenderer>) { self.layer = layer }

    /// Takes the changes, uploads what they say, and draws what is placed. Pixels without a tile are nil.
    func drawFrame(width: Int, height: Int, letsGo: Bool = false) {
        let changes = layer.takeChanges()
        frameCount += 1
        for id in changes.removed { textures[id] = nil }
        for id in changes.added { upload(id, nil) }
        for (id, pixels) in changes.changed { upload(id, pixels) }
        if letsGo { for id in changes.added + changes.changed.map(\.id) { layer.didUpload(id) } }
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: nil, count: width * height)
        for place in changes.placed { draw(place) }
        newest = changes
    }

    private func upload(_ id: TileID, _ part: PixelRect?) {
        guard let bitmap = layer.contents(of: id) else {
            Issue.record("the contents of a tile that was added or changed are not there")
            return
        }
        let whole = PixelRect(minX: 0, minY: 0, maxX: bitmap.pixelWidth, maxY: bitmap.pixelHeight)
        if part == nil {
            textures[id] = Texture(
                width: bitmap.pixelWidth,
                pixels: Array(
                    repeating: Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 0),
                    count: bitmap.pixelWidth * bitmap.pixelHeight))
        }
        guard let part = whole.intersection(part ?? whole) else { return }
        uploadedPixels += part.area
        for y in part.minY..<part.maxY {
            for x in part.minX..<part.maxX {
                textures[id]?.pixels[y * bitmap.pixelWidth + x] = bitmap[x: x, y: y]
            }
        }
    }

    private func draw(_ place: PlacedTile) {
        guard let texture = textures[place.id] else {
            Issue.record("a tile is placed that was not added")
            return
        }
        let (ratioX, ratioY) = (
            place.source.size.width / Double(place.destination.width),
            place.source.size.height / Double(place.destination.height)
        )
        let rows = texture.pixels.count / texture.width
        let window = PixelRect(minX: 0, minY: 0, maxX: width, maxY: height)
        guard place.destination.intersection(window) == place.destination else {
            Issue.record("a tile is placed outside of the window")
            return
        }
        for y in place.destination.minY..<place.destination.maxY {
            for x in place.destination.minX..<place.destination.maxX {
                let column = place.source.minX + (Double(x - place.destination.minX) + 0.5) * ratioX
                let row = place.source.minY + (Double(y - place.destination.minY) + 0.5) * ratioY
                if pixels[y * width + x] != nil { Issue.record("two tiles are placed at \(x), \(y)") }
                let (textureX, textureY) = (
                    min(max(0, Int(column.rounded(.down))), texture.width - 1),
                    min(max(0, Int(row.rounded(.down))), rows - 1)
                )
                pixels[y * width + x] = texture.pixels[textureY * texture.width + textureX]
            }
        }
    }

    /// How many pixels differ from those of a picture, which the window shows from some pixel on.
    func difference(from picture: Bitmap, x: Int, y: Int) -> Int {
        var count = 0
        for row in 0..<height {
            for column in 0..<width {
                let isInside =
                    (0..<picture.pixelWidth).contains(column + x)
                    && (0..<picture.pixelHeight).contains(row + y)
                let wanted = isInside ? picture[x: column + x, y: row + y] : nil
                if wanted != pixels[row * width + column] { count += 1 }
            }
        }
        return count
    }
}
