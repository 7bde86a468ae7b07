import Testing

@testable import SDLFeed

@Suite("The journey")
struct JourneyTests {
    private let journey = Journey(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 1)

    @Test("goes from the top to the end, never back, and spends the last second at rest")
    func way() {
        #expect(journey.offsets.count == 5_400)
        #expect(journey.offsets.last == 500_000)
        #expect(zip(journey.offsets, journey.offsets.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(journey.offsets[journey.restFrame...].allSatisfy { $0 == 500_000 })
        #expect(journey.offsets.count - journey.restFrame > 60)
    }

    @Test("is made of flicks: a fast start, then slower and slower, as a finger's")
    func flicks() {
        let speeds = (1..<journey.offsets.count).map { journey.speed(at: $0) }
        let slower = zip(speeds, speeds.dropFirst()).count { $0 > $1 }
        let faster = zip(speeds, speeds.dropFirst()).count { $0 < $1 }
        #expect(faster > 300)
        #expect(slower > 4 * faster)
        let top = speeds.max() ?? 0
        #expect(abs(top - journey.topSpeed) < journey.topSpeed * 0.02)
    }

    @Test("comes to rest by itself: slower and slower for its last two seconds")
    func rest() {
        let speeds = (journey.restFrame - 120...journey.restFrame).map { journey.speed(at: $0) }
        #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 >= $1 - 1e-3 })
        #expect(speeds[60] < speeds[0] / 4)
        #expect(speeds[120] < speeds[0] / 100)
    }

    @Test("of equal seeds is equal, and of others another one")
    func seeds() {
        #expect(Journey(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 1).offsets == journey.offsets)
        #expect(Journey(frames: 5_400, maximumOffset: 500_000, hz: 60, seed: 2).offsets != journey.offsets)
    }

    @Test("stands still in a feed that is all in view", arguments: [120, 121, 600])
    func still(frames: Int) {
        let journey = Journey(frames: frames, maximumOffset: 0, hz: 60, seed: 1)
        #expect(journey.offsets == Array(repeating: 0, count: frames))
    }
}
