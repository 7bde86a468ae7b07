import Foundation
import Testing

@testable import SDLFeed

@Suite("The program", .timeLimit(.minutes(2)))
struct SDLFeedProgramTests {
    @Test(
        "prints its help, beside any other arguments",
        arguments: [
            ["-h"], ["--help"], ["--cells", "x", "-h"], ["--help", "--cells", "x"], ["--colour", "--help"],
        ])
    func help(arguments: [String]) async throws {
        let result = try await FeedProgram.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("OVERVIEW: A feed in an SDL window"))
    }

    @Test(
        "ends with a status and a line that says why",
        arguments: [
            (["--cells", "many"], 64, "Error: The value 'many' is invalid for '--cells"),
            (["--measure", "--images", "/nowhere"], 66, "SDLFeed: there is no folder '/nowhere'"),
            (["--measure", "--images", "/proc/self/fdinfo"], 66, "no PNG or JPEG file"),
            (["--cells", "10"], 69, "SDL cannot begin"),
            (
                ["--measure", "--cells", "10", "--frames", "120", "--json", "/nowhere/a.json"], 73,
                "/nowhere/a.json"
            ),
        ] as [([String], Int32, String)])
    func errors(arguments: [String], status: Int32, reason: String) async throws {
        let result = try await FeedProgram.run(arguments)
        #expect(result.status == status)
        #expect(result.errors.contains(reason), "\(result.errors)")
        if status != 64 { #expect(result.errors.split(separator: "\n").count == 1) }
    }

    @Test("measures a scroll through all cells, and leaves none of them blank at its end")
    func measure() async throws {
        let folder = try ProgramFiles()
        let result = try await FeedProgram.run([
            "--measure", "--cells", "40", "--frames", "360", "--scale", "1", "--json",
            folder.path("figures.json"),
        ])
        #expect(result.status == 0)
        #expect(result.output.contains("hitches"))
        let figures = try folder.figures("figures.json")
        #expect(figures.mode == "layers")
        #expect(figures.cells == 40)
        #expect(figures.scale == 1)
        #expect(figures.frames == 359)
        #expect(figures.seconds > 5.9)
        #expect(figures.blankCellsAtRest == 0)
        #expect(figures.flashes == 0)
        #expect(figures.picturesDrawn > 10)
        #expect(figures.mainThreadMillisecondsP50 > 0)
        #expect(figures.mainThreadMillisecondsP99 >= figures.mainThreadMillisecondsP50)
        #expect(figures.residentMebibytes > 10)
        #expect(figures.peakResidentMebibytes >= figures.residentMebibytes)
    }

    @Test("measures a feed that is smaller than the window, which stays where it is")
    func smallFeed() async throws {
        let folder = try ProgramFiles()
        let result = try await FeedProgram.run([
            "--measure", "--cells", "1", "--frames", "120", "--scale", "1", "--json",
            folder.path("figures.json"),
        ])
        #expect(result.status == 0)
        let figures = try folder.figures("figures.json")
        #expect(figures.offset == 0)
        #expect(figures.rowsShown == 1)
    }

    @Test("fails when hitches exceed the bar, as they do where the main thread draws")
    func bar() async throws {
        let result = try await FeedProgram.run([
            "--measure", "--mode", "synchronous", "--cells", "100", "--frames", "180", "--bar", "5",
        ])
        #expect(result.status == 1)
        #expect(result.output.contains("more than the bar of 5.0 ms/s"))
    }
}
