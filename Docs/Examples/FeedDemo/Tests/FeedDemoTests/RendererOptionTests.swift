import Testing

@testable import FeedDemo

@Suite("Renderers on the command line")
struct RendererOptionTests {
    #if Cairo
        @Test("both are built in and run in one order, whatever was typed")
        func order() throws {
            #expect(try options(["--renderers", "cairo,bitmap"]).renderers == [.bitmap, .cairo])
            #expect(try options(["--renderers=cairo", "--images", "x"]).images == "x")
        }

        @Test("images without the renderer that shows them are a usage error")
        func images() {
            let message = "--images is for the renderer cairo, which --renderers leaves out"
            #expect(throws: DemoError(.usage, message)) {
                try options(["--images", "x", "--renderers", "bitmap"])
            }
        }

        @Test("the help says that nothing is missing")
        func help() {
            #expect(Options.help.contains("all of them are built in"))
        }
    #else
        private static let command = "swift run -c release --traits NUMA,Cairo FeedDemo"

        @Test(
            "what was not built in is a usage error that says how to build it",
            arguments: [["--renderers", "cairo"], ["--renderers=bitmap,cairo"], ["--images", "x"]])
        func missing(arguments: [String]) {
            let message = "this program was built without the renderer cairo; with it: \(Self.command)"
            #expect(throws: DemoError(.usage, message)) { try options(arguments) }
        }

        @Test("the help says how to build what is missing")
        func help() {
            #expect(Options.help.contains(Self.command))
        }
    #endif

    private func options(_ arguments: [String]) throws -> Options {
        guard case .run(let options) = try OptionParser.parse(arguments) else {
            throw DemoError(.usage, "help was not asked for")
        }
        return options
    }
}
