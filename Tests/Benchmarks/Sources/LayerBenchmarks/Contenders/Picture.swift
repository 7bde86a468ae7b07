import AsyncLayers

/// What the layers of all contenders show: the number of the draw that made it, and as much memory as a
/// bitmap would take.
final class Picture: @unchecked Sendable {  // the memory is never written to after it was made
    let number: Int
    private let pixels: UnsafeMutableRawPointer?

    /// Writes to each page of the memory, as drawing would.
    init(number: Int, byteCount: Int = 0) {
        self.number = number
        pixels = byteCount > 0 ? .allocate(byteCount: byteCount, alignment: 64) : nil
        for offset in stride(from: 0, to: byteCount, by: 4_096) {
            pixels?.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
    }

    deinit {
        pixels?.deallocate()
    }
}

/// What a picture is drawn into.
final class PictureContext {
    var picture: Picture?
}

/// The renderer of all contenders that have one: contexts are empty, and what was drawn is the picture.
struct PictureRenderer: Renderer {
    struct NothingWasDrawn: Error {}

    func byteCount(of description: ContextDescription) -> Int { 0 }
    func makeContext(_ description: ContextDescription) -> PictureContext { PictureContext() }
    func fill(_ context: PictureContext, with color: Color) {}

    func makeContents(from context: PictureContext) throws -> Picture {
        guard let picture = context.picture else { throw NothingWasDrawn() }
        return picture
    }
}
