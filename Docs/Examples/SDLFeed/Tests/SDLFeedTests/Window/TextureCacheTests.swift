import AsyncLayers
import CSDL2
import CairoRendering
import Testing

@testable import SDLFeed

@MainActor
@Suite("Textures")
struct TextureCacheTests {
    private final class Owner {}

    /// A renderer that draws into memory.
    @MainActor
    private final class Canvas {
        let surface: UnsafeMutablePointer<SDL_Surface>
        let renderer: OpaquePointer

        init() throws {
            surface = try #require(SDL_CreateRGBSurfaceWithFormat(0, 4, 4, 32, CSDL_PIXELFORMAT_ARGB8888))
            renderer = try #require(SDL_CreateSoftwareRenderer(surface))
        }

        isolated deinit {
            SDL_DestroyRenderer(renderer)
            SDL_FreeSurface(surface)
        }
    }

    private let canvas: Canvas
    private var renderer: OpaquePointer { canvas.renderer }

    init() throws { canvas = try Canvas() }

    private func image(
        _ pixel: UInt32, width: Int = 4, height: Int = 4, scale: Double = 1
    ) throws -> CairoImage {
        try CairoImage(pixelWidth: width, pixelHeight: height, scale: scale, isOpaque: true) {
            bytes, bytesPerRow in
            for row in 0..<height {
                for column in 0..<width {
                    bytes.storeBytes(of: pixel, toByteOffset: row * bytesPerRow + 4 * column, as: UInt32.self)
                }
            }
        }
    }

    @Test("show a picture's colours, with any highest byte")
    func colors() throws {
        let textureCache = TextureCache(renderer: renderer, of: canvas)
        let texture = try #require(textureCache.texture(of: image(0x0012_3456), for: Owner()))
        var source = SDL_Rect(x: 0, y: 0, w: 4, h: 4)
        SDL_RenderCopy(renderer, texture.pointer, &source, nil)
        var pixel: UInt32 = 0
        var place = SDL_Rect(x: 1, y: 2, w: 1, h: 1)
        SDL_RenderReadPixels(renderer, &place, CSDL_PIXELFORMAT_ARGB8888, &pixel, 4)
        #expect(pixel & 0xFF_FFFF == 0x12_3456)
    }

    @Test("are kept while their owner is shown, and take a new picture over")
    func kept() throws {
        let textureCache = TextureCache(renderer: renderer, of: canvas)
        let owner = Owner()
        let (first, second) = (try image(1), try image(2))
        let texture = try #require(textureCache.texture(of: first, for: owner))
        textureCache.endFrame()
        #expect(textureCache.texture(of: first, for: owner) === texture)
        #expect(texture.image === first)
        textureCache.endFrame()
        #expect(textureCache.texture(of: second, for: owner) === texture)
        #expect(texture.image === second)
    }

    @Test("are as large in points on every display, also while they are drawn for another one")
    func scale() throws {
        let textureCache = TextureCache(renderer: renderer, of: canvas)
        let owner = Owner()
        let first = try image(1, width: 4, height: 6)
        let texture = try #require(textureCache.texture(of: first, for: owner))
        #expect(texture.extent(scale: 1) == (4, 6))
        #expect(texture.extent(scale: 2) == (8, 12))
        let second = try image(2, width: 4, height: 6, scale: 2)
        #expect(textureCache.texture(of: second, for: owner) === texture)
        #expect(texture.extent(scale: 2) == (4, 6))
        #expect(texture.extent(scale: 1) == (2, 3))
    }

    @Test("of owners that have left serve others, if they are as wide and as high")
    func reused() throws {
        let textureCache = TextureCache(renderer: renderer, of: canvas)
        let (left, narrow, next) = (Owner(), Owner(), Owner())
        let texture = try #require(textureCache.texture(of: image(1, height: 100), for: left))
        #expect(texture.pixelHeight >= 100)
        textureCache.endFrame()
        textureCache.endFrame()
        #expect(textureCache.texture(of: try image(2, width: 3), for: narrow) !== texture)
        #expect(textureCache.texture(of: try image(2, height: 50), for: next) === texture)
        #expect(textureCache.texture(of: try image(3, height: 50), for: narrow) !== texture)
    }
}
