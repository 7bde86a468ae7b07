import AsyncLayers
import CairoRendering
import Foundation
import SDLWindows
import Testing
import TiledLayers

@testable import Canvas

@MainActor
@Suite("Textures of tiles", .serialized, .timeLimit(.minutes(2)))
struct DrawnTilesTests {
    private let document: CanvasDocument
    private let window: Window
    private let tiles: DrawnTiles
    private var viewport: Viewport

    init() throws {
        setenv("SDL_VIDEODRIVER", "dummy", 1)
        var generator = SceneGenerator(seed: 3)
        document = try CanvasDocument(generator.scene(count: 20_000, free: CanvasDocument.textFrame))
        let size = Size(width: 900, height: 600)
        window = try Window(title: "Tiles", size: size, minimumSize: size)
        tiles = DrawnTiles(window)
        viewport = Viewport(
            documentSize: Scene.size, pixelSize: size, center: CanvasDocument.textFrame.center)
    }

    /// A frame when all is drawn, which is compared; its changes, and how many bytes were uploaded.
    @discardableResult
    private func frame() async throws -> (changes: TileChanges, bytes: Int) {
        try document.layer.show(viewport.visible, scale: viewport.scale)
        await document.layer.settled()
        let before = tiles.uploadedBytes
        let changes = tiles.draw(document.layer)
        let difference = PictureDifference(
            try window.capture(), try document.snapshot.picture(of: viewport))
        #expect(difference.isSlight && changes.coverage.sharp == 900 * 600, "\(difference)")
        return (changes, tiles.uploadedBytes - before)
    }

    @Test("take of an edit only the pixels that it has changed, which alone are drawn")
    func damage() async throws {
        try await frame()
        document.edit { $0.click(at: $0.frame.center) }
        try await frame()
        // A line of the frame, in 2 or 3 tiles; then the caret.
        try document.edit { try $0.insert("!") }
        try await expectUpload(ofAtMost: 4 * 560 * 60)
        document.edit { $0.blink() }
        try await expectUpload(ofAtMost: 4 * 12 * 60)
    }

    private func expectUpload(ofAtMost limit: Int) async throws {
        let (changes, uploaded) = try await frame()
        let bytes = changes.changed.reduce(0) { $0 + 4 * $1.pixels.area }
        #expect(bytes > 0 && bytes < limit, "\(bytes) bytes")
        // Pixels that the next edit begins with.
        #expect(changes.changed.allSatisfy { document.layer.contents(of: $0.id) != nil })
        // Tiles around the view may be added at any time.
        if changes.added.isEmpty { #expect(uploaded == bytes) }
    }

    @Test("are stretched without a gap while the scale changes")
    mutating func movement() async throws {
        try await frame()
        viewport.zoom(to: 1.37, about: Point(x: 450, y: 300))
        try document.layer.show(viewport.visible, scale: viewport.scale, isMoving: true)
        // What no tile covers is magenta.
        let changes = tiles.draw(document.layer, margin: Color(red: 1, green: 0, blue: 1))
        let picture = try window.capture()
        #expect(changes.coverage.coarse == 900 * 600)
        let gaps = (0..<600).reduce(0) { sum, y in
            sum + (0..<900).count { picture[x: $0, y: y] & 0xFF_FFFF == 0xFF_00FF }
        }
        #expect(gaps == 0)
        try await frame()
    }

    @Test("go with their tiles")
    mutating func removal() async throws {
        try await frame()
        viewport.pan(byPixels: Point(x: 5_000, y: 5_000))
        try await frame()
        let kept = tiles.count
        document.layer.trim()
        try await frame()
        #expect(tiles.count < kept)
    }
}
