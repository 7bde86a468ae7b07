import AsyncLayers
import BitmapRendering

/// A picture of what a closure draws.
func bitmap(_ width: Int, _ height: Int, scale: Double = 1, _ body: (BitmapContext) -> Void) throws -> Bitmap
{
    let context = try BitmapContext(pixelWidth: width, pixelHeight: height, scale: scale)
    body(context)
    return context.makeBitmap()
}

extension Bitmap {
    /// All pixels, row by row.
    var allPixels: [Pixel] {
        (0..<pixelHeight).flatMap { y in (0..<pixelWidth).map { x in self[x: x, y: y] } }
    }

    /// The sum of the alphas, in fully covered pixels.
    var coveredArea: Double {
        allPixels.reduce(0) { $0 + Double($1.alpha) } / 255
    }

    var isClear: Bool {
        withUnsafeBytes { bytes in bytes.allSatisfy { $0 == 0 } }
    }

    func alpha(_ x: Int, _ y: Int) -> UInt8 { self[x: x, y: y].alpha }
}

extension Bitmap.Pixel {
    static let nothing = Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    static let opaqueBlack = Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 255)
    static let opaqueWhite = Bitmap.Pixel(red: 255, green: 255, blue: 255, alpha: 255)
    static let opaqueRed = Bitmap.Pixel(red: 255, green: 0, blue: 0, alpha: 255)
}

extension Paint {
    static let black = Paint.color(.black)
    static let red = Paint.color(Color(red: 1, green: 0, blue: 0))
}
