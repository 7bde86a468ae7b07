import ArgumentParser
import AsyncLayers
import FeedKit
import Testing

@testable import SDLFeed

@Suite("The command line")
struct SDLFeedOptionsTests {
    private func parse(_ line: String) throws -> SDLFeedOptions {
        try SDLFeedOptions.parse(line.split(separator: " ").map(String.init))
    }

    @Test("has defaults for everything")
    func defaults() throws {
        let options = try parse("")
        #expect(options.cells == 2_000)
        #expect(options.seed == 1)
        #expect(options.mode == .layers)
        #expect(!options.measures)
        #expect(options.script.isEmpty)
        #expect(options.scale == nil && options.frames == nil && options.bar == nil)
        #expect(options.images == nil && options.json == nil && options.screenshot == nil)
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
        #expect(try parse("--script wheel:-2,rest --script=quit").script == [.quit])
    }

    @Test("takes a path that begins with a dash behind an equals sign, as its help says")
    func dashes() throws {
        let options = try parse("--images=-in --json=-a.json --screenshot=--b.png")
        #expect(options.images == "-in")
        #expect(options.json == "-a.json")
        #expect(options.screenshot == "--b.png")
        let help = SDLFeedCommand.helpMessage(columns: 400)
        for name in ["images", "json", "screenshot"] {
            #expect(help.contains("begins with a dash is written --\(name)=-name."))
        }
    }

    @Test("lists every option, every action and their limits in its help")
    func help() {
        let help = SDLFeedCommand.helpMessage(columns: 200)
        for name in [
            "images", "cells", "seed", "mode", "scale", "json", "measure", "frames", "bar", "script",
            "screenshot", "help",
        ] {
            #expect(help.contains("--\(name) "))
        }
        for action in ["wheel:N", "drag:D", "flick:V", "key:NAME", "click:X:Y", "rest", "wait", "quit"] {
            #expect(help.contains("  \(action) "))
        }
        for limit in [ScriptAction.notchLimit, ScriptAction.pointLimit] {
            #expect(help.contains("-\(Int(limit)) to \(Int(limit))"))
        }
    }

    @Test(
        "refuses what makes no sense, and says what",
        arguments: [
            ("cells", "Unexpected argument 'cells'"), ("--colour red", "Unknown option '--colour'"),
            ("--cells", "Missing value for '--cells"), ("--cells=", "Missing value for '--cells"),
            ("--json -a.json", "Missing value for '--json"),
            ("--cells 0", "'0' is invalid for '--cells <count>': must be a whole number from 1 to 100000"),
            ("--cells 3.5", "'3.5' is invalid"),
            ("--scale nan", "'nan' is invalid for '--scale <scale>': must be a number from 0.5 to 4"),
            ("--frames 119", "'119' is invalid"),
            ("--seed -1", "'-1' is invalid"), ("--mode async", "'async' is invalid for '--mode <mode>'"),
            ("--bar -1 --measure", "'-1' is invalid"), ("--bar 5", "--bar needs --measure"),
            ("--measure=yes", "'--measure' does not take any value"),
            ("--measure --screenshot a.png", "no window for --screenshot"),
            ("--measure --script wait", "no window for --screenshot and --script"),
            ("--frames 200", "--frames needs --measure"),
            ("--script hop", "actions as in --help"),
            ("--script wait,hop", "--help, not 'hop'"),
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
        do {
            _ = try parse(line)
            Issue.record("it is accepted")
        } catch {
            #expect(SDLFeedOptions.exitCode(for: error).rawValue == 64)
            let message = SDLFeedOptions.message(for: error)
            #expect(message.contains(reason), "\(message)")
        }
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
