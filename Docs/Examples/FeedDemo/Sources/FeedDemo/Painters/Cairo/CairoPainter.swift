#if Cairo
    import AsyncLayers
    import CairoRendering

    /// Draws cells with Cairo: text in any script through Pango, and pictures from files.
    struct CairoPainter: FeedPainter {
        let base = CairoRenderer()
        /// Files that can be shown, one in every so many cells.
        private let pictures: [String]
        /// A text is laid out once, with its cell and before any run, and found again when the cell is drawn.
        let layouts = LayoutCache<TextContent, TextLayout>(byteLimit: 64 << 20) { content, layout in
            content.text.runs.reduce(layout.byteCount) { $0 + $1.text.utf8.count }
        }
        /// A picture is read, made as large as its place, and rounded once for all cells that show it.
        private let images = ImageCache(byteLimit: 256 << 20)

        init(pictures: [String]) { self.pictures = pictures }

        func layOut(_ item: FeedItem, number: Int, width: Double) -> CairoCellLayout {
            CairoCellLayout(
                item: item, number: number, width: width, picture: picture(ofCell: number), layouts: layouts)
        }

        func beginRun() { images.removeAll() }

        func draw(_ layout: CairoCellLayout, in context: CairoContext, isCancelled: () -> Bool) {
            layout.draw(in: context, layouts: layouts, images: images, isCancelled: isCancelled)
        }

        static func screenshot(of contents: CairoImage) -> Screenshot {
            var rgba: [UInt8] = []
            rgba.reserveCapacity(4 * contents.pixelWidth * contents.pixelHeight)
            contents.withUnsafeBytes { bytes in
                for row in 0..<contents.pixelHeight {
                    for column in 0..<contents.pixelWidth {
                        let offset = row * contents.bytesPerRow + 4 * column
                        let pixel = bytes.load(fromByteOffset: offset, as: UInt32.self)
                        rgba.append(UInt8(truncatingIfNeeded: pixel >> 16))
                        rgba.append(UInt8(truncatingIfNeeded: pixel >> 8))
                        rgba.append(UInt8(truncatingIfNeeded: pixel))
                        rgba.append(255)
                    }
                }
            }
            return Screenshot(
                pixelWidth: contents.pixelWidth, pixelHeight: contents.pixelHeight, rgba: rgba)
        }

        private func picture(ofCell number: Int) -> String? {
            let (index, rest) = number.quotientAndRemainder(dividingBy: CellGeometry.cellsPerPicture)
            return rest == 0 && !pictures.isEmpty ? pictures[(index - 1) % pictures.count] : nil
        }
    }
#endif
