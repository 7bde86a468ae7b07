import Foundation
import Testing

@testable import SDLFeed

@Suite("A glide")
struct GlideTests {
    @Test("of a flick begins at the finger's speed and loses the same share of it in each second")
    func flickLaw() {
        let glide = Glide.flick(from: 100, speed: 3_000, at: 5)
        #expect(abs(glide.speed(at: 5) - 3_000) < 1e-6)
        #expect(abs(glide.speed(at: 6) / glide.speed(at: 5) - pow(0.998, 1_000)) < 1e-9)
        #expect(abs(glide.speed(at: 7) / glide.speed(at: 6) - pow(0.998, 1_000)) < 1e-9)
        #expect(abs(glide.to - (100 + 3_000 / 2.002)) < 1)
    }

    @Test("moves as far as its speed tells", arguments: [-4_000, -50, 200, 9_000] as [Double])
    func integral(speed: Double) {
        let glide = Glide.flick(from: 0, speed: speed, at: 0)
        var position = 0.0
        let step = 1e-4
        for index in 0..<10_000 { position += glide.speed(at: (Double(index) + 0.5) * step) * step }
        #expect(abs(position - glide.position(at: 1)) < abs(speed) * 1e-4)
    }

    @Test("never turns back and ends exactly where it was said", arguments: [-1, 1] as [Double])
    func ends(direction: Double) {
        let glide = Glide.jump(from: 0, to: 500 * direction, at: 0)
        var last = -1.0
        for frame in 0...240 {
            let way = glide.position(at: Double(frame) / 60) * direction
            #expect(way >= last)
            last = way
        }
        #expect(glide.position(at: 4) == 500 * direction)
        #expect(glide.isOver(at: 4))
        #expect(glide.speed(at: 4) == 0)
        #expect(!glide.isOver(at: 0))
    }
}
