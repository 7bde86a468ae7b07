import AsyncLayers
import CairoRendering
import FeedKit

/// The pictures of a folder, made ready to be shown: decoded, resized, with round corners and shadows.
///
/// *Thread-safe*, and not for the main thread.
final class PhotoStore: Sendable {
    private let files: [String]
    private let pictures = ImageCache(byteLimit: 32 << 20)

    /// - Parameter files: PNG and JPEG files; at least one where posts have photos.
    init(files: [String]) { self.files = files }

    var count: Int { files.count }

    /// An author's picture, round.
    func avatar(_ picture: Int, scale: Double) throws -> CairoImage? {
        guard !files.isEmpty else { return nil }
        let side = CellStyle.avatarExtent
        return try ready(
            Request(
                file: files[picture % files.count], size: Size(width: side, height: side),
                cornerRadius: side / 2, shadowRadius: 0, scale: scale))
    }

    /// A post's picture, with round corners and a soft shadow: larger than its size by
    /// ``shadowMargin(scale:)`` on each side.
    func photo(_ photo: Photo, size: Size, scale: Double) throws -> CairoImage {
        try ready(
            Request(
                file: files[photo.picture % files.count], size: size, cornerRadius: CellStyle.photoRadius,
                shadowRadius: Self.shadowRadius, scale: scale))
    }

    static let shadowRadius = 4.0
    static let shadowOffset = 1.0

    /// How far a photo's shadow reaches beyond it, in points, but in whole pixels.
    static func shadowMargin(scale: Double) -> Double {
        ((shadowRadius * scale).rounded() + (shadowOffset * scale).rounded()) / scale
    }

    private struct Request: Hashable {
        let file: String
        let size: Size
        let cornerRadius: Double
        let shadowRadius: Double
        let scale: Double
    }

    private func ready(_ request: Request) throws -> CairoImage {
        try pictures.image(for: request) {
            let shaped = try ImageDecoder().decode(contentsOfFile: request.file)
                .resized(to: request.size, scale: request.scale, cornerRadius: request.cornerRadius)
            guard request.shadowRadius > 0 else { return shaped }
            return try shaped.withShadow(
                radius: request.shadowRadius, offset: Point(x: 0, y: Self.shadowOffset),
                color: Color(white: 0, alpha: 0.25))
        }
    }
}

extension PhotoStore {
    /// The pictures of a folder, by name; nil for those of the examples.
    ///
    /// - Throws: ``ProgramError`` if there is no such folder, or no picture in it.
    convenience init(folder: String?) throws(ProgramError) {
        let folder = if let folder { folder } else { try Checkout.pictures() }
        let files = try PictureFolder.files(in: folder)
        guard !files.isEmpty else {
            throw ProgramError(.noInput, "there is no PNG or JPEG file in '\(folder)'")
        }
        self.init(files: files)
    }
}
