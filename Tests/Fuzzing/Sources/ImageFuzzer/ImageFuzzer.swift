import AsyncLayers
import CLibFuzzer
import CairoRendering

/// Decodes libFuzzer's input, within a limit, and draws with the image.
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
        decoder.maximumPixelCount = 1 << 18
        guard let image = try? decoder.decode(bytes) else { return }
        precondition(image.pixelWidth > 0 && image.pixelHeight > 0)
        precondition(image.pixelWidth * image.pixelHeight <= decoder.maximumPixelCount)
        image.withUnsafeBytes { bytes in
            // Address Sanitizer sees each byte read.
            withExtendedLifetime(bytes.reduce(0) { $0 &+ $1 }) {}
        }
        _ = try? image.resized(to: Size(width: 16, height: 16), cornerRadius: 4)
    }
}
