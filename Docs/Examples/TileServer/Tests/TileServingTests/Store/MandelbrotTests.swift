import Testing
import TileServing

@Suite("The Mandelbrot set")
struct MandelbrotTests {
    private let picture = Mandelbrot()

    @Test("its halves mirror each other, tile by tile", arguments: [0, 1, 3])
    func symmetry(z: Int) throws {
        for x in 0..<1 << z {
            let upper = picture.pixels(of: try TileAddress(z: z, x: x, y: 0))
            let lower = picture.pixels(of: try TileAddress(z: z, x: x, y: 1 << z - 1))
            let mirrored = stride(from: 255, through: 0, by: -1).flatMap { lower[$0 * 256..<($0 + 1) * 256] }
            #expect(upper == mirrored)
        }
    }

    @Test("what is inside has one colour, and what is outside many")
    func colors() throws {
        let whole = picture.pixels(of: try TileAddress(z: 0, x: 0, y: 0))
        // The world's middle is −0.75, where the two largest bodies meet; 64 pixels right of it lies 0.
        let inside = whole[128 * 256 + 192]
        #expect(whole[128 * 256 + 200] == inside)
        #expect(whole.count { $0 == inside } > 5_000)
        #expect(Set(whole).count > 1_000)
    }

    @Test("deep zooms still show detail")
    func depth() throws {
        // Misiurewicz point −2: the tip of the needle, at the same place of the world at every zoom.
        let z = 34
        let tile = try TileAddress(z: z, x: Int(0.25 / 3 * Double(1 << z)), y: 1 << (z - 1))
        #expect(Set(picture.pixels(of: tile)).count > 200)
    }
}
