import AsyncLayers
import Testing

@testable import SDLFeed

@Suite("The command line")
struct OptionParserTests {
    private func parse(_ line: String) throws -> Options {
        guard case .run(let options) = try OptionParser.parse(line.split(separator: " ").map(String.init))
        else {
            Issue.record("help")
            return Options()
        }
        return options
    }

    @Test("has defaults for everything")
    func defaults() throws {
        #expect(try parse("") == Options())
    }

    @Test("takes values behind a space or an equals sign, the last of an option's counts")
    func values() throws {
        let options = try parse(
            "--cells 5 --cells=7 --seed=9 --mode synchronous --scale 1.5 --measure --frames=200 --bar 5 "
                + "--json a.json --images=x=y")
        #expect(options.cells == 7)
        #expect(options.seed == 9)
        #expect(options.mode == .synchronous)
        #expect(options.scale == 1.5)
        #expect(options.measures)
        #expect(options.frames == 200)
        #expect(options.bar == 5)
        #expect(options.json == "a.json")
        #expect(options.images == "x=y")
    }

    @Test("is asked for help anywhere", arguments: [["--help"], ["--cells", "x", "-h"]])
    func help(arguments: [String]) throws {
        #expect(try OptionParser.parse(arguments) == .help)
    }

    @Test("tells every option in its help")
    func helpIsComplete() {
        for name in [
            "images", "cells", "seed", "mode", "scale", "json", "measure", "frames", "bar", "script",
            "screenshot", "help",
        ] {
            #expect(Options.help.contains("--\(name) ") || Options.help.contains("--\(name),"))
        }
    }

    @Test("tells the limits of a script's actions in its help")
    func helpOfLimits() {
        for limit in [ScriptAction.notchLimit, ScriptAction.pointLimit] {
            #expect(Options.help.contains("-\(Int(limit)) to \(Int(limit))"))
        }
    }

    @Test(
        "refuses what makes no sense, and says what",
        arguments: [
            ("cells", "unexpected argument 'cells'"), ("--colour red", "unknown option '--colour'"),
            ("--cells", "--cells needs a value"), ("--cells=", "--cells needs a value"),
            ("--cells 0", "from 1 to 100000, not '0'"), ("--cells 3.5", "not '3.5'"),
            ("--scale nan", "from 0.5 to 4, not 'nan'"), ("--frames 119", "not '119'"),
            ("--seed -1", "not '-1'"), ("--mode async", "layers or synchronous, not 'async'"),
            ("--bar -1 --measure", "not '-1'"), ("--bar 5", "--bar needs --measure"),
            ("--measure=yes", "--measure takes no value"),
            ("--measure --screenshot a.png", "no window for --screenshot"),
            ("--measure --script wait", "no window for --screenshot and --script"),
            ("--frames 200", "--frames needs --measure"),
            ("--script hop", "actions as --help tells"),
            ("--script wait,hop", "tells them, not 'hop'"),
            (
                "--script wait,wheel:10001,quit",
                "wheel:N with a number from -10000 to 10000, not 'wheel:10001'"
            ),
            ("--script drag:x", "drag:D with a number from -100000 to 100000, not 'drag:x'"),
            ("--script flick:1e9", "flick:V with a number from -100000 to 100000, not 'flick:1e9'"),
            ("--script key:enter", "key:NAME with up, down, pageup, pagedown, home, end, not 'key:enter'"),
            ("--script click:1", "click:X:Y with two numbers, not 'click:1'"),
            ("--script quit:now", "quit without a value, not 'quit:now'"),
        ])
    func errors(line: String, reason: String) {
        let error = #expect(throws: ProgramError.self) { try parse(line) }
        #expect(error?.code == .usage)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}

@Suite("A script")
struct ScriptTests {
    @Test(
        "is read action by action",
        arguments: [
            ("wheel:-20", .wheel(-20)), ("drag:300.5", .drag(300.5)), ("flick:-6000", .flick(-6_000)),
            ("key:pagedown", .key(.pagedown)), ("click:12:34", .click(x: 12, y: 34)), ("rest", .rest),
            ("wait", .wait), ("quit", .quit),
        ] as [(String, ScriptAction)])
    func actions(text: String, action: ScriptAction) {
        #expect(ScriptAction(text) == action)
    }

    @Test(
        "has no other actions",
        arguments: [
            "", "wheel", "wheel:", "wheel:x", "wheel:1:2", "wheel:nan", "wheel:10001", "flick:inf", "key",
            "key:enter", "click:1", "click:1:2:3", "click:nan:0", "wait:1", "quit:now", "rest:", "Wait",
            " wait",
        ])
    func nonsense(text: String) {
        #expect(ScriptAction(text) == nil)
    }

    /// Plays two seconds and returns what happened, and when.
    private func play(
        _ actions: [ScriptAction], hz: Double = 60, isResting: Bool = true, isComplete: Bool = true
    ) -> [(InputEvent, time: Double)] {
        var player = ScriptPlayer(actions)
        return (0..<Int(2 * hz)).flatMap {
            player.events(at: Double($0) / hz, isResting: isResting, isComplete: isComplete)
        }
    }

    @Test("flicks at the speed it says, however fast frames come", arguments: [3, 20, 60, 144] as [Double])
    func flick(hz: Double) {
        var scroller = Scroller(contentHeight: 100_000, viewportHeight: 700)
        var releases = 0
        for (event, time) in play([.flick(-6_000)], hz: hz) {
            switch event {
            case .press(let point): scroller.touch(point.y, at: time)
            case .move(let point): scroller.drag(point.y, at: time)
            case .release:
                scroller.lift(at: time)
                releases += 1
                #expect(abs(scroller.speed - 6_000) < 1)
                #expect(abs(scroller.offset - 600) < 1e-6)
            default: Issue.record("\(event)")
            }
        }
        #expect(releases == 1)
    }

    @Test("drags as far as it says and holds still before it releases", arguments: [3, 60] as [Double])
    func drag(hz: Double) {
        let events = play([.drag(-300)], hz: hz)
        let places = events.compactMap { event -> Double? in
            if case .move(let point) = event.0 { point.y } else { nil }
        }
        #expect(places.last == 0)
        #expect(places.suffix(6).allSatisfy { $0 == 0 })
        #expect(events.last?.0 == .release(Point(x: 200, y: 0)))
    }

    @Test("waits until the feed rests, or until it also shows everything")
    func waiting() {
        func quits(_ actions: [ScriptAction], _ isResting: Bool, _ isComplete: Bool) -> Bool {
            play(actions, isResting: isResting, isComplete: isComplete).contains { $0.0 == .quit }
        }
        #expect(!quits([.rest, .quit], false, false))
        #expect(quits([.rest, .quit], true, false))
        #expect(!quits([.wait, .quit], true, false))
        #expect(quits([.wait, .quit], true, true))
    }
}
