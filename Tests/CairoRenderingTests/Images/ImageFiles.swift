#if Cairo
    import CQueuePoolsCairo
    import CQueuePoolsJPEG
    import CQueuePoolsPNG
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

        /// A colour at each pixel, in one scan or in ten.
        static func jpeg(_ image: CairoImage, isProgressive: Bool = false) -> [UInt8] {
            image.withUnsafeBytes { pixels in
                jpeg(
                    width: image.pixelWidth, height: image.pixelHeight, JCS_EXT_BGRX, pixels,
                    image.bytesPerRow
                ) {
                    $0.pointee.comp_info[0].h_samp_factor = 1
                    $0.pointee.comp_info[0].v_samp_factor = 1
                    if isProgressive { jpeg_simple_progression($0) }
                }
            }
        }

        /// A progressive file of one grey, in any number of scans from 1 to 694.
        static func greyJPEG(width: Int, height: Int, scanCount: Int) -> [UInt8] {
            // The first scan has the means of blocks, and each further one a bit of one frequency.
            var scans = [
                jpeg_scan_info(comps_in_scan: 1, component_index: (0, 0, 0, 0), Ss: 0, Se: 0, Ah: 0, Al: 0)
            ]
            for frequency in 1...63 as ClosedRange<Int32> {
                for bit in (0...10 as ClosedRange<Int32>).reversed() {
                    scans.append(
                        jpeg_scan_info(
                            comps_in_scan: 1, component_index: (0, 0, 0, 0), Ss: frequency, Se: frequency,
                            Ah: bit == 10 ? 0 : bit + 1, Al: bit))
                }
            }
            return scans[..<scanCount].withUnsafeBufferPointer { scans in
                let pixels = [UInt8](repeating: 0x80, count: width * height)
                return pixels.withUnsafeBytes { pixels in
                    jpeg(width: width, height: height, JCS_GRAYSCALE, pixels, width) {
                        $0.pointee.scan_info = scans.baseAddress
                        $0.pointee.num_scans = Int32(scans.count)
                    }
                }
            }
        }

        private static func jpeg(
            width: Int, height: Int, _ space: J_COLOR_SPACE, _ pixels: UnsafeRawBufferPointer,
            _ bytesPerRow: Int, configure: (UnsafeMutablePointer<jpeg_compress_struct>) -> Void
        ) -> [UInt8] {
            var (errors, encoder) = (jpeg_error_mgr(), jpeg_compress_struct())
            var (file, count) = (UnsafeMutablePointer<UInt8>?.none, UInt(0))
            // libjpeg keeps all of these addresses.
            return withUnsafeMutablePointer(to: &errors) { errors in
                withUnsafeMutablePointer(to: &encoder) { encoder in
                    withUnsafeMutablePointer(to: &file) { file in
                        withUnsafeMutablePointer(to: &count) { count in
                            encoder.pointee.err = jpeg_std_error(errors)
                            jpeg_CreateCompress(
                                encoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
                            jpeg_mem_dest(encoder, file, count)
                            encoder.pointee.image_width = JDIMENSION(width)
                            encoder.pointee.image_height = JDIMENSION(height)
                            encoder.pointee.input_components = space == JCS_GRAYSCALE ? 1 : 4
                            encoder.pointee.in_color_space = space
                            jpeg_set_defaults(encoder)
                            jpeg_set_quality(encoder, 95, 1)
                            configure(encoder)
                            jpeg_start_compress(encoder, 1)
                            for row in 0..<height {
                                var start = UnsafeMutablePointer(
                                    mutating: pixels.baseAddress?.advanced(by: row * bytesPerRow)
                                        .assumingMemoryBound(to: UInt8.self))
                                jpeg_write_scanlines(encoder, &start, 1)
                            }
                            jpeg_finish_compress(encoder)
                            jpeg_destroy_compress(encoder)
                            defer { free(file.pointee) }
                            return Array(
                                UnsafeBufferPointer(start: file.pointee, count: Int(count.pointee)))
                        }
                    }
                }
            }
        }

        /// A PNG file of rows as they stand in the file, without their filters; not compressed.
        ///
        /// - Parameters:
        ///   - height: of the picture. Default: as many as there are rows.
        ///   - rows: of an interlaced file those of its passes.
        ///   - depth: the bits of a sample.
        ///   - colorType: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
        ///   - chunks: before the rows.
        static func png(
            width: Int, height: Int? = nil, rows: [[UInt8]], depth: UInt8, colorType: UInt8,
            isInterlaced: Bool = false,
            chunks: [(name: String, bytes: [UInt8])] = []
        ) -> [UInt8] {
            let head =
                bytes(of: width) + bytes(of: height ?? rows.count) + [
                    depth, colorType, 0, 0, isInterlaced ? 1 : 0,
                ]
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
                + chunks.flatMap { chunk($0.name, $0.bytes) }
                + chunk("IDAT", stored(rows.flatMap { [0] + $0 })) + chunk("IEND", [])
        }

        private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let checked = Array(name.utf8) + content
            return bytes(of: content.count) + checked + bytes(of: Int(checksum(of: checked)))
        }

        /// The bytes as zlib's format holds what is not compressed.
        private static func stored(_ content: [UInt8]) -> [UInt8] {
            var result: [UInt8] = [0x78, 0x01]
            var start = 0
            repeat {
                let block = content[start..<min(start + 0xFFFF, content.count)]
                start = block.endIndex
                let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
                result += [start == content.count ? 1 : 0, low, high, ~low, ~high] + block
            } while start < content.count
            var (first, second) = (1, 0)
            for byte in content {
                first = (first + Int(byte)) % 65_521
                second = (second + first) % 65_521
            }
            return result + bytes(of: second << 16 | first)
        }

        /// 32 bits, the highest first.
        static func bytes(of value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }

        private static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
            var remainder = UInt32.max
            for byte in bytes {
                remainder ^= UInt32(byte)
                for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            return ~remainder
        }

        /// The same PNG file with other extents in its head, and the checksum that belongs to them.
        static func png(_ bytes: [UInt8], claiming width: Int, _ height: Int) -> [UInt8] {
            var bytes = bytes
            bytes.replaceSubrange(16..<24, with: self.bytes(of: width) + self.bytes(of: height))
            bytes.replaceSubrange(29..<33, with: self.bytes(of: Int(checksum(of: bytes[12..<29]))))
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
