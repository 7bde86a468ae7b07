/// What a layer shows: a renderer's contents, whose type only those who make and those who show them know.
///
/// Everything in between handles pictures without it. Code that is generic over the renderer looks types up
/// at every step, since an embedder's renderer is not known when this module is compiled: measured, that was
/// most of what a pass cost the main thread (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
@usableFromInline
class Picture: @unchecked Sendable {  // nothing in it changes
    fileprivate var isWhole: Bool { fatalError("abstract") }

    fileprivate init() {}

    /// The contents, if they are in one piece. The type must be that of the renderer that made them.
    final func whole<Contents: Sendable>(_ type: Contents.Type) -> Contents? {
        isWhole ? unsafeDowncast(self, to: WholePicture<Contents>.self).contents : nil
    }

    /// The contents in tiles; empty if they are in one piece. The type must be that of the renderer that made
    /// them.
    final func tiles<Contents: Sendable>(_ type: Contents.Type) -> [ContentsTile<Contents>] {
        isWhole ? [] : unsafeDowncast(self, to: TiledPicture<Contents>.self).tiles
    }
}

final class WholePicture<Contents: Sendable>: Picture, @unchecked Sendable {
    fileprivate let contents: Contents

    init(_ contents: Contents) { self.contents = contents }

    override fileprivate var isWhole: Bool { true }
}

final class TiledPicture<Contents: Sendable>: Picture, @unchecked Sendable {
    fileprivate let tiles: [ContentsTile<Contents>]

    init(_ tiles: [ContentsTile<Contents>]) { self.tiles = tiles }

    override fileprivate var isWhole: Bool { false }
}
