import AsyncLayers
import CSDL2
import CairoRendering
import TiledLayers
import Testing

@testable import Canvas

@MainActor
@Suite("Textures of tiles", .timeLimit(.minutes(2)))
final class TileTexturesTests {
    private static let size = Size(width: 900, height: 600)

    private let document: CanvasDocument
    private let surface: UnsafeMutablePointer<SDL_Surface>
    private let renderer: OpaquePointer
    private let textures: TileTextures
    private var viewport: Viewport

    init() throws {
        document = try CanvasDocument(seed: 3, itemCount: 20_000)
        surface = try #require(
            SDL_CreateRGBSurfaceWithFormat(
                0, Int32(Self.size.width), Int32(Self.size.height), 32, CSDL_PIXELFORMAT_ARGB8888))
        renderer = try #require(SDL_CreateSoftwareRenderer(surface))
        textures = TileTextures(renderer: renderer)
        viewport = Viewport(
            contentSize: document.scene.size, pixelSize: Self.size, center: document.text.frame.center)
    }

    isolated deinit {
        textures.removeAll()
        SDL_DestroyRenderer(renderer)
        SDL_FreeSurface(surface)
    }

    private func show() async throws {
        try document.layer.show(viewport.visible, scale: viewport.scale)
        await document.layer.settled()
    }

    /// A frame as the window shows it; what no tile covers is magenta.
    private func frame() throws -> (picture: CairoImage, changes: TileChanges) {
        let changes = document.layer.takeChanges()
        textures.apply(changes, of: document.layer)
        SDL_SetRenderDrawColor(renderer, 255, 0, 255, 255)
        SDL_RenderClear(renderer)
        textures.draw(changes.placed)
        let picture = try CairoImage(
            pixelWidth: Int(Self.size.width), pixelHeight: Int(Self.size.height), isOpaque: true
        ) { bytes, bytesPerRow in
            SDL_RenderReadPixels(
                renderer, nil, CSDL_PIXELFORMAT_ARGB8888, bytes.baseAddress, Int32(bytesPerRow))
        }
        return (picture, changes)
    }

    private func expectDocument(in picture: CairoImage) throws {
        let difference = PictureDifference(picture, try document.snapshot.picture(of: viewport))
        #expect(difference.isSlight, "\(difference)")
    }

    @Test(
        "show what one picture would, at any scale, and the layer lets their pixels go",
        arguments: [1, 0.37, 2])
    func picture(scale: Double) async throws {
        viewport.zoom(to: scale, about: Point(x: 100, y: 50))
        try await show()
        let (picture, changes) = try frame()
        #expect(changes.coverage.sharp == 900 * 600)
        try expectDocument(in: picture)
        #expect(!changes.added.isEmpty)
        #expect(changes.added.allSatisfy { document.layer.contents(of: $0) == nil })
    }

    @Test("take of an edit only the pixels that it has changed")
    func damage() async throws {
        try await show()
        _ = try frame()
        document.click(at: document.text.frame.center)
        await document.layer.settled()
        _ = try frame()

        // A line of the frame, in 2 or 3 tiles; then the caret.
        try document.type("!")
        try await expectUpload(ofAtMost: 4 * 560 * 60)
        document.blink()
        try await expectUpload(ofAtMost: 4 * 12 * 60)
    }

    private func expectUpload(ofAtMost limit: Int) async throws {
        await document.layer.settled()
        let before = textures.uploadedBytes
        let (picture, changes) = try frame()
        try expectDocument(in: picture)
        let bytes = changes.changed.reduce(0) { $0 + 4 * $1.pixels.area }
        #expect(bytes > 0 && bytes < limit, "\(bytes) bytes")
        // Tiles around the view may be added at any time.
        if changes.added.isEmpty { #expect(textures.uploadedBytes - before == bytes) }
    }

    @Test("are stretched without a gap while the scale changes")
    func movement() async throws {
        try await show()
        _ = try frame()
        viewport.zoom(to: 1.37, about: Point(x: 450, y: 300))
        try document.layer.show(viewport.visible, scale: viewport.scale, isMoving: true)
        let (picture, changes) = try frame()
        #expect(changes.coverage.coarse == 900 * 600)
        var gaps = 0
        for y in 0..<600 { gaps += (0..<900).count { picture[x: $0, y: y] == 0xFFFF_00FF } }
        #expect(gaps == 0)
    }

    @Test("go with their tiles")
    func removal() async throws {
        try await show()
        _ = try frame()
        let count = textures.count
        viewport.pan(byPixels: Point(x: 5_000, y: 5_000))
        try await show()
        _ = try frame()
        let kept = textures.count
        #expect(kept > count)
        document.layer.trim(toBytes: 0)
        let (picture, _) = try frame()
        try expectDocument(in: picture)
        #expect(textures.count < kept)
    }
}
