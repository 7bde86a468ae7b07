import Testing

@testable import SDLFeed

@Suite("The flicks through the feed")
struct FlickThroughTests {
    private let way = FlickThrough(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 1)

    @Test("goes from the top to the end, never back, and spends the last second at rest")
    func offsets() {
        #expect(way.offsets.count == 5_400)
        #expect(way.offsets.last == 500_000)
        #expect(zip(way.offsets, way.offsets.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(way.offsets[way.restFrame...].allSatisfy { $0 == 500_000 })
        #expect(way.offsets.count - way.restFrame > 60)
    }

    @Test("is made of flicks: a fast start, then slower and slower, as a finger's")
    func flicks() {
        let speeds = (1..<way.offsets.count).map { way.speed(at: $0) }
        let slower = zip(speeds, speeds.dropFirst()).count { $0 > $1 }
        let faster = zip(speeds, speeds.dropFirst()).count { $0 < $1 }
        #expect(faster > 300)
        #expect(slower > 4 * faster)
        let top = speeds.max() ?? 0
        #expect(abs(top - way.topSpeed) < way.topSpeed * 0.02)
    }

    @Test("comes to rest by itself: slower and slower for its last two seconds")
    func rest() {
        let speeds = (way.restFrame - 120...way.restFrame).map { way.speed(at: $0) }
        #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 >= $1 - 1e-3 })
        #expect(speeds[60] < speeds[0] / 4)
        #expect(speeds[120] < speeds[0] / 100)
    }

    @Test("of equal seeds is equal, and of others another one")
    func seeds() {
        #expect(FlickThrough(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 1).offsets == way.offsets)
        #expect(FlickThrough(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 2).offsets != way.offsets)
    }

    @Test("stands still in a feed that is all in view", arguments: [120, 121, 600])
    func still(frames: Int) {
        let way = FlickThrough(frames: frames, maximumOffset: 0, hz: 60, seed: 1)
        #expect(way.offsets == Array(repeating: 0, count: frames))
    }
}
