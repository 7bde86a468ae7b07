#if Cairo
    import CLibCairo
    import CLibPNG
    import CLibTurboJPEG
    import Foundation

    @testable import CairoRendering

    /// Files as other programs write them, for the decoder.
    enum ImageFiles {
        static func png(_ image: CairoImage) throws -> [UInt8] {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
            defer { try? FileManager.default.removeItem(at: file) }
            try image.writePNG(to: file.path)
            return [UInt8](try Data(contentsOf: file))
        }

        /// Grey steps, one byte a pixel.
        static func greyPNG(width: Int, height: Int) -> [UInt8] {
            var image = png_image()
            image.version = png_uint_32(PNG_IMAGE_VERSION)
            (image.width, image.height, image.format) = (png_uint_32(width), png_uint_32(height), 0)
            let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            var count = bytes.count
            precondition(png_image_write_to_memory(&image, &bytes, &count, 0, pixels, 0, nil) != 0)
            return Array(bytes[..<count])
        }

        static func jpeg(_ image: CairoImage, isProgressive: Bool = false) -> [UInt8] {
            let encoder = tjInitCompress()
            defer { tjDestroy(encoder) }
            var bytes: UnsafeMutablePointer<UInt8>?
            var count: UInt = 0
            let flags = TJFLAG_ACCURATEDCT | (isProgressive ? TJFLAG_PROGRESSIVE : 0)
            let status = image.withUnsafeBytes {
                tjCompress2(
                    encoder, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(image.pixelWidth),
                    Int32(image.bytesPerRow), Int32(image.pixelHeight), Int32(TJPF_BGRX.rawValue), &bytes,
                    &count,
                    Int32(TJSAMP_444.rawValue), 95, flags)
            }
            precondition(status == 0)
            defer { tjFree(bytes) }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }

        /// The same PNG file with other extents in its head, and the checksum that belongs to them.
        static func png(_ bytes: [UInt8], claiming width: UInt32, _ height: UInt32) -> [UInt8] {
            var bytes = bytes
            func put(_ value: UInt32, at index: Int) {
                for byte in 0..<4 {
                    bytes[index + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(byte)))
                }
            }
            put(width, at: 16)
            put(height, at: 20)
            var remainder = UInt32.max
            for byte in bytes[12..<29] {
                remainder ^= UInt32(byte)
                for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            put(~remainder, at: 29)
            return bytes
        }

        /// The same JPEG file with other extents in its frame's head.
        static func jpeg(_ bytes: [UInt8], claiming width: UInt16, _ height: UInt16) -> [UInt8] {
            var bytes = bytes
            guard
                let frame = (0..<bytes.count - 9).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            else {
                return bytes
            }
            for (offset, value) in [(5, height >> 8), (6, height & 0xFF), (7, width >> 8), (8, width & 0xFF)]
            {
                bytes[frame + offset] = UInt8(value)
            }
            return bytes
        }
    }
#endif
