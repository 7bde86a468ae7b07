import AsyncLayers
import BitmapRendering
import Testing
import TiledLayers

/// A program's textures and window: what was uploaded, and nothing else.
@MainActor
final class ShadowScreen {
    private struct Texture {
        let width: Int
        var pixels: [UInt32]
    }

    private let layer: TiledLayer<BitmapRenderer>
    private var textures: [TileID: Texture] = [:]
    /// Red, green, blue and alpha, in the order of memory; 0 where no tile is placed.
    private(set) var pixels: [UInt32] = []
    private var isPlaced: [Bool] = []
    private(set) var width = 0
    private(set) var height = 0
    private(set) var newest = TileChanges()

    init(_ layer: TiledLayer<BitmapRenderer>) { self.layer = layer }

    /// Takes the changes, uploads what they say, and draws what is placed.
    ///
    /// - Parameter letsGo: whether the layer may let the pixels go that were uploaded.
    func drawFrame(width: Int, height: Int, letsGo: Bool = false) {
        newest = layer.takeChanges()
        for id in newest.removed { textures[id] = nil }
        for id in newest.added { upload(id, nil) }
        for (id, pixels) in newest.changed { upload(id, pixels) }
        if letsGo { for id in newest.added + newest.changed.map(\.id) { layer.didUpload(id) } }
        let former = (self.width, self.height) == (width, height) ? pixels : []
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: 0, count: width * height)
        isPlaced = Array(repeating: false, count: width * height)
        for place in newest.placed { draw(place) }
        if !former.isEmpty { checkDamage(former) }
    }

    /// The window looks as before where it is not damaged.
    private func checkDamage(_ former: [UInt32]) {
        var isDamaged = [Bool](repeating: false, count: pixels.count)
        let window = PixelRect(minX: 0, minY: 0, maxX: width, maxY: height)
        for rect in newest.damage {
            guard let rect = rect.intersection(window) else { continue }
            for y in rect.minY..<rect.maxY {
                let row = y * width + rect.minX..<y * width + rect.maxX
                if isDamaged[row].contains(true) { Issue.record("damage overlaps in \(rect)") }
                isDamaged.replaceSubrange(row, with: repeatElement(true, count: row.count))
            }
        }
        let missed = pixels.indices.count { !isDamaged[$0] && pixels[$0] != former[$0] }
        if missed > 0 { Issue.record("\(missed) pixels differ beside the damage \(newest.damage)") }
    }

    /// All textures are lost, as when a window's context is.
    func loseTextures() { textures = [:] }

    func red(x: Int, y: Int) -> Int { Int(pixels[y * width + x] & 255) }

    private func upload(_ id: TileID, _ part: PixelRect?) {
        guard let bitmap = layer.contents(of: id) else {
            Issue.record("the contents of a tile that was added or changed are not there")
            return
        }
        let whole = PixelRect(minX: 0, minY: 0, maxX: bitmap.pixelWidth, maxY: bitmap.pixelHeight)
        var texture =
            textures[id] ?? Texture(width: whole.width, pixels: Array(repeating: 0, count: whole.area))
        if part != nil { #expect(textures[id] != nil, "a tile has changed that was not added") }
        guard let part = whole.intersection(part ?? whole) else { return }
        bitmap.withUnsafeBytes { bytes in
            let source = bytes.bindMemory(to: UInt32.self)
            for y in part.minY..<part.maxY {
                let row = y * whole.width + part.minX..<y * whole.width + part.maxX
                texture.pixels.replaceSubrange(row, with: source[row])
            }
        }
        textures[id] = texture
    }

    private func draw(_ place: PlacedTile) {
        let (destination, source) = (place.destination, place.source)
        let window = PixelRect(minX: 0, minY: 0, maxX: width, maxY: height)
        guard let texture = textures[place.id], destination.intersection(window) == destination else {
            Issue.record("a tile is placed that was not added, or outside of the window")
            return
        }
        let rows = texture.pixels.count / texture.width
        /// The nearest pixels of the texture.
        func nearest(_ count: Int, from start: Double, _ extent: Double, below end: Int) -> [Int] {
            (0..<count).map { index in
                let place = start + (Double(index) + 0.5) * extent / Double(count)
                return min(max(0, Int(place.rounded(.down))), end - 1)
            }
        }
        let columns = nearest(destination.width, from: source.minX, source.size.width, below: texture.width)
        let lines = nearest(destination.height, from: source.minY, source.size.height, below: rows)
        let isWhole = columns.last == columns[0] + destination.width - 1
        for (y, line) in zip(destination.minY..<destination.maxY, lines) {
            let row = y * width + destination.minX..<y * width + destination.maxX
            if isPlaced[row].contains(true) { Issue.record("two tiles are placed in \(destination)") }
            isPlaced.replaceSubrange(row, with: repeatElement(true, count: row.count))
            let start = line * texture.width
            if isWhole {
                pixels.replaceSubrange(row, with: texture.pixels[(start + columns[0])...].prefix(row.count))
            } else {
                pixels.replaceSubrange(row, with: columns.map { texture.pixels[start + $0] })
            }
        }
    }

    /// How many rows differ from those of a picture, which the window shows from some pixel on.
    func difference(from picture: Bitmap, x: Int, y: Int) -> Int {
        picture.withUnsafeBytes { bytes in
            let wanted = bytes.bindMemory(to: UInt32.self)
            return (0..<height).count { row in
                var line = [UInt32](repeating: 0, count: width)
                let columns = max(0, -x)..<max(max(0, -x), min(width, picture.pixelWidth - x))
                if (0..<picture.pixelHeight).contains(row + y), !columns.isEmpty {
                    let start = (row + y) * picture.pixelWidth + x
                    line.replaceSubrange(
                        columns, with: wanted[start + columns.lowerBound..<start + columns.upperBound])
                }
                return line != Array(pixels[row * width..<(row + 1) * width])
            }
        }
    }
}
