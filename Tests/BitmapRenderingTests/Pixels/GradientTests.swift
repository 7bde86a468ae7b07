import AsyncLayers
import BitmapRendering
import Testing

@Suite("Gradients", .timeLimit(.minutes(15)))
struct GradientTests {
    private let area = Rect(x: 0, y: 0, width: 256, height: 4)

    @Test("A gradient from black to white over 256 pixels shows each grey at its pixel")
    func ramp() throws {
        // Centres at 0.5 … 255.5, so that from 0.5 to 255.5 the share of the pixel x is x / 255.
        let gradient = LinearGradient(from: Point(x: 0.5, y: 0), .black, to: Point(x: 255.5, y: 0), .white)
        let picture = try bitmap(256, 4) { $0.fill(area, with: .linearGradient(gradient)) }
        for x in 0..<256 {
            #expect(
                picture[x: x, y: 2]
                    == Bitmap.Pixel(red: UInt8(x), green: UInt8(x), blue: UInt8(x), alpha: 255))
        }
    }

    @Test("A vertical gradient is the horizontal one turned")
    func vertical() throws {
        let stops: [LinearGradient.Stop] = [
            .init(at: 0.1, .white), .init(at: 0.6, Color(red: 1, green: 0.3, blue: 0, alpha: 0.4)),
            .init(at: 1, .black),
        ]
        let across = LinearGradient(from: Point(x: 3, y: 0), to: Point(x: 60, y: 0), stops: stops)
        let down = LinearGradient(from: Point(x: 0, y: 3), to: Point(x: 0, y: 60), stops: stops)
        let first = try bitmap(64, 64) { $0.fill(with: .linearGradient(across)) }
        let second = try bitmap(64, 64) { $0.fill(with: .linearGradient(down)) }
        #expect((0..<64).allSatisfy { first[x: $0, y: 9] == second[x: 9, y: $0] })
    }

    @Test("Before the first stop and after the last the colour stays; stops may come in any order")
    func ends() throws {
        let stops: [LinearGradient.Stop] = [.init(at: 0.75, .white), .init(at: 0.25, .black)]
        let gradient = LinearGradient(from: .zero, to: Point(x: 256, y: 0), stops: stops)
        let picture = try bitmap(256, 4) { $0.fill(area, with: .linearGradient(gradient)) }
        #expect((0..<64).allSatisfy { picture[x: $0, y: 0] == .opaqueBlack })
        #expect((192..<256).allSatisfy { picture[x: $0, y: 0] == .opaqueWhite })
        // The centre of pixel 127 is 63.5 of 128 pixels on the way.
        #expect(picture[x: 127, y: 0].red == 127)
    }

    @Test("Two stops at one place make a sharp edge")
    func sharpEdge() throws {
        let red = Color(red: 1, green: 0, blue: 0)
        let gradient = LinearGradient(
            from: .zero, to: Point(x: 256, y: 0),
            stops: [.init(at: 0, .black), .init(at: 0.5, .black), .init(at: 0.5, red), .init(at: 1, red)])
        let picture = try bitmap(256, 4) { $0.fill(area, with: .linearGradient(gradient)) }
        #expect(picture[x: 127, y: 1] == .opaqueBlack)
        #expect(picture[x: 128, y: 1] == .opaqueRed)
    }

    @Test("Colours are interpolated premultiplied: clear black does not darken white")
    func premultiplied() throws {
        let gradient = LinearGradient(from: .zero, .white, to: Point(x: 256, y: 0), .clear)
        let picture = try bitmap(256, 4) { $0.fill(area, with: .linearGradient(gradient)) }
        #expect(picture.allPixels.allSatisfy { $0.red == $0.alpha })
        #expect(picture.alpha(127, 0) == 128)
    }

    @Test(
        "Stops that are hardly apart make a sharp edge too, and no pixel is clear", arguments: [1e-50, 1e-39])
    func hardlyApart(distance: Double) throws {
        for stops in [
            [LinearGradient.Stop(at: 0, .black), .init(at: distance, .white)],
            [.init(at: 0, .black), .init(at: distance, .white), .init(at: 1, .white)],
            [.init(at: 0, .black), .init(at: distance, .black), .init(at: 2 * distance, .white)],
        ] {
            let gradient = LinearGradient(from: Point(x: 100, y: 0), to: Point(x: 200, y: 0), stops: stops)
            let picture = try bitmap(256, 1) { $0.fill(area, with: .linearGradient(gradient)) }
            #expect((0..<256).allSatisfy { picture[x: $0, y: 0] == ($0 < 100 ? .opaqueBlack : .opaqueWhite) })
        }
    }

    @Test("A way that is hardly one shows its two ends", arguments: [1e-39, 1e-60, 1e-150])
    func hardlyAWay(length: Double) throws {
        for (end, color) in [
            (Point(x: length, y: 0), Bitmap.Pixel.opaqueWhite), (Point(x: -length, y: 0), .opaqueBlack),
            (Point(x: 0, y: length), .opaqueWhite), (Point(x: 0, y: -length), .opaqueBlack),
        ] {
            let gradient = LinearGradient(from: .zero, .black, to: end, .white)
            let picture = try bitmap(64, 64) { $0.fill(with: .linearGradient(gradient)) }
            #expect(picture.allPixels.allSatisfy { $0 == color })
        }
    }

    @Test("A gradient follows the coordinates of the fill: scale and translation move it along")
    func coordinates() throws {
        let plain = LinearGradient(from: Point(x: 10, y: 20), .black, to: Point(x: 50, y: 60), .white)
        let first = try bitmap(64, 64) { $0.fill(with: .linearGradient(plain)) }
        let moved = LinearGradient(from: Point(x: 2, y: 4), .black, to: Point(x: 22, y: 24), .white)
        let second = try bitmap(64, 64, scale: 2) { context in
            context.withTranslation(Point(x: 3, y: 6)) { context.fill(with: .linearGradient(moved)) }
        }
        #expect(first.hasSamePixels(as: second))
    }

    @Test("No stops paint nothing; a way without length paints the last colour")
    func degenerate() throws {
        let none = LinearGradient(from: .zero, to: Point(x: 1, y: 1), stops: [])
        #expect(try bitmap(4, 4) { $0.fill(with: .linearGradient(none)) }.isClear)
        for end in [Point.zero, Point(x: .nan, y: 0), Point(x: .infinity, y: 0), Point(x: 1e300, y: 1e300)] {
            let gradient = LinearGradient(from: .zero, .black, to: end, Color(red: 1, green: 0, blue: 0))
            let picture = try bitmap(4, 4) { $0.fill(with: .linearGradient(gradient)) }
            #expect(picture.allPixels.allSatisfy { $0 == .opaqueRed })
        }
        let strange = LinearGradient(
            from: .zero, to: Point(x: 4, y: 0),
            stops: [.init(at: .nan, .black), .init(at: -3, .black), .init(at: .infinity, .white)])
        #expect(try bitmap(4, 4) { $0.fill(with: .linearGradient(strange)) }[x: 0, y: 0].red == 32)
    }
}
