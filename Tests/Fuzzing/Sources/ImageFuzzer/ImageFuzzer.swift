import AsyncLayers
import CLibFuzzer
import CairoRendering

/// Decodes libFuzzer's input, within a limit, and draws with the image; and decodes it once more until it is
/// cancelled.
@main
enum ImageFuzzer {
    static func main() {
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            ImageFuzzer.decode(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        }
    }

    static func decode(_ bytes: [UInt8]) {
        var decoder = ImageDecoder()
        decoder.pixelLimit = 1 << 18
        // Cancelled at any of the first rows: the last byte says at which.
        var questions = 0
        let last = Int(bytes.last ?? 0)
        do {
            _ = try decoder.decode(bytes) {
                questions += 1
                return questions > last
            }
        } catch is CancellationError {
            precondition(questions == last + 1)
        } catch {
            precondition(error is ImageError && questions <= last)
        }
        guard let image = try? decoder.decode(bytes) else { return }
        precondition(image.pixelWidth > 0 && image.pixelHeight > 0)
        precondition(image.pixelWidth * image.pixelHeight <= decoder.pixelLimit)
        image.withUnsafeBytes { bytes in
            // Address Sanitizer sees each byte read.
            withExtendedLifetime(bytes.reduce(0) { $0 &+ $1 }) {}
        }
        _ = try? image.resized(to: Size(width: 16, height: 16), cornerRadius: 4)
    }
}
