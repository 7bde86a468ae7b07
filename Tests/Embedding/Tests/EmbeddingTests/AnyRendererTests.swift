import AsyncLayers
import BitmapRendering
import Testing

/// Draws one picture with any renderer; nil if the pass was stopped.
@MainActor
func picture<R: Renderer>(
    of size: Size, with renderer: R, draw: @escaping DisplayTask<R>.Draw
) async throws -> R.Contents? {
    let layer = AsyncLayer(renderer: renderer)
    let artist = Artist<R>(draw: draw)
    layer.size = size
    layer.delegate = artist  // not kept alive by the layer: `artist` is, until the pass has ended
    let outcome = await withCheckedContinuation { done in
        artist.onEnd = { done.resume(returning: $0) }
        layer.display()
    }
    if case .failed(let error) = outcome { throw error }
    return layer.contents
}

@MainActor
private final class Artist<R: Renderer>: AsyncLayerDelegate {
    let draw: DisplayTask<R>.Draw
    var onEnd: (@MainActor @Sendable (DisplayOutcome) -> Void)?

    init(draw: @escaping DisplayTask<R>.Draw) { self.draw = draw }

    func displayTask(for layer: AsyncLayer<R>) -> DisplayTask<R>? {
        DisplayTask(onEnd: onEnd, draw: draw)
    }
}

@MainActor
@Suite("One function, any renderer", .timeLimit(.minutes(15)))
struct AnyRendererTests {
    @Test("draws characters")
    func characters() async throws {
        let picture = try await picture(of: Size(width: 4, height: 2), with: CharacterRenderer()) {
            canvas, _ in
            canvas.write("up")
            canvas.write("down", line: 1)
        }
        #expect(picture?.lines == ["up  ", "down"])
    }

    @Test("draws pixels")
    func pixels() async throws {
        let red = Color(red: 1, green: 0, blue: 0)
        let picture = try await picture(of: Size(width: 4, height: 2), with: BitmapRenderer()) {
            context, scope in
            context.fill(scope.bounds, with: .color(red))
        }
        #expect(picture?.pixelWidth == 4)
        #expect(picture?.pixelHeight == 2)
        picture?.withUnsafeBytes { bytes in
            #expect(Array(bytes.prefix(4)) == [255, 0, 0, 255])
        }
    }

    @Test("hands on what the draw throws")
    func failure() async {
        struct OutOfInk: Error {}
        await #expect(throws: OutOfInk.self) {
            try await picture(of: Size(width: 1, height: 1), with: CharacterRenderer()) { _, _ in
                throw OutOfInk()
            }
        }
    }
}
