#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport

    @testable import CairoRendering

    /// A picture of its own, drawn at once.
    func image(
        _ width: Int, _ height: Int, scale: Double = 1, isOpaque: Bool = false,
        _ draw: (CairoContext) throws -> Void
    ) throws -> CairoImage {
        let context = try CairoContext(
            ContextDescription(pixelWidth: width, pixelHeight: height, scale: scale, isOpaque: isOpaque))
        try draw(context)
        return try context.makeImage()
    }

    /// A picture in which every pixel differs from its neighbours.
    func noise(_ width: Int, _ height: Int, scale: Double = 1, seed: UInt64 = 7) throws -> CairoImage {
        var generator = SeededGenerator(seed: seed)
        return try image(width, height, scale: scale) { context in
            cairo_identity_matrix(context.cairo)
            cairo_set_antialias(context.cairo, CAIRO_ANTIALIAS_NONE)
            for y in 0..<height {
                for x in 0..<width {
                    func part() -> Double { .random(in: 0...1, using: &generator) }
                    context.setSource(Color(red: part(), green: part(), blue: part(), alpha: part()))
                    cairo_rectangle(context.cairo, Double(x), Double(y), 1, 1)
                    cairo_fill(context.cairo)
                }
            }
        }
    }

    extension CairoImage {
        var allPixels: [UInt32] {
            (0..<pixelHeight).flatMap { y in (0..<pixelWidth).map { self[x: $0, y: y] } }
        }

        /// The largest difference of a component of a pixel to another picture's.
        func distance(to other: CairoImage) -> Int {
            let differences = zip(allPixels, other.allPixels).map { left, right -> Int in
                let components = stride(from: 0 as UInt32, to: 32, by: 8).map { shift -> Int in
                    abs(Int(left >> shift & 0xFF) - Int(right >> shift & 0xFF))
                }
                return components.max() ?? 0
            }
            return differences.max() ?? 0
        }
    }
#endif
