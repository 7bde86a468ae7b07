import Testing

@Suite("A link that is pressed in a GTK window", .serialized, .timeLimit(.minutes(5)))
struct PressTests {
    @Test("is highlighted no longer when GTK takes the press away", arguments: ["claimed", "insensitive"])
    func cancel(taking: String) throws {
        let display = try VirtualDisplay()
        let program = try display.program("LabelProbe").start([taking])
        let place = try program.waitForLine("link at ").dropFirst("link at ".count)
        try display.point("mousemove \(place) mousedown 1")
        var line: String?
        repeat { line = program.nextLine() } while line?.hasSuffix("highlighted") == false
        #expect(line == "nothing highlighted")
    }
}
