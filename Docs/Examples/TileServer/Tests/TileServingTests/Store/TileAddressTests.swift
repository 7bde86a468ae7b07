import Testing
import TileServing

@Suite("Addresses of tiles")
struct TileAddressTests {
    @Test("a path's three parts are an address")
    func path() throws {
        let address = try TileAddress(z: "3", x: "7", file: "0.png")
        #expect((address.z, address.x, address.y) == (3, 7, 0))
        #expect("\(address)" == "3/7/0")
    }

    @Test(
        "what is outside is said to be outside",
        arguments: [
            (-1, 0, 0), (37, 0, 0), (0, 1, 0), (0, 0, -1), (3, 8, 0), (36, 1 << 36, 0), (2, 0, Int.max),
        ])
    func outside(z: Int, x: Int, y: Int) {
        let problem = #expect(throws: TileAddress.Problem.self) { try TileAddress(z: z, x: x, y: y) }
        #expect(problem?.isOutside == true)
    }

    @Test(
        "junk is said to be junk",
        arguments: [
            ("a", "0", "0.png"), ("0", "", "0.png"), ("0", "+0", "0.png"), ("0", "0", "0.jpg"),
            ("0", "0", ".png"),
            ("03", "0", "0.png"), ("3", "00", "0.png"), ("3", "0", "01.png"), ("-0", "0", "0.png"),
            ("0", "0x0", "0.png"), ("-1", "0", "0.png"), ("99999999999999999999", "0", "0.png"),
        ])
    func junk(z: String, x: String, file: String) {
        let problem = #expect(throws: TileAddress.Problem.self) { try TileAddress(z: z, x: x, file: file) }
        #expect(problem?.isOutside == false)
    }
}

extension TileAddress.Problem {
    fileprivate var isOutside: Bool { if case .outside = self { true } else { false } }
}
