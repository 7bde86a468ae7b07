/// What a command line turns out to be.
enum CommandLineRequest: Equatable {
    /// Print the help text and end well.
    case help
    /// Run with these options.
    case run(Options)
}

/// Reads the command line: `--name value` or `--name=value`; the last of a repeated option counts, except
/// that inputs add up.
struct OptionParser {
    private var remaining: ArraySlice<String>
    private var options = Options()

    private init(_ arguments: [String]) {
        remaining = arguments[...]
    }

    /// Parses the arguments, the program's own name left out.
    ///
    /// - Throws: ``DemoError`` with the code `.usage` for the first argument that makes no sense.
    static func parse(_ arguments: [String]) throws -> CommandLineRequest {
        if arguments.contains("--help") || arguments.contains("-h") { return .help }
        var parser = OptionParser(arguments)
        try parser.run()
        return .run(parser.options)
    }

    private mutating func run() throws {
        while let argument = remaining.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                throw usage("unexpected argument '\(argument)'")
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try apply(String(parts[0]), inline: parts.count == 2 ? String(parts[1]) : nil)
        }
        let pixels = Double(options.width) * Double(options.height) * options.scale * options.scale
        guard pixels <= Double(Options.Limits.pixels) else {
            throw usage(
                "\(options.width) by \(options.height) points at scale \(options.scale) is more than "
                    + "\(Options.Limits.pixels) pixels")
        }
        try checkImages()
    }

    private func checkImages() throws {
        guard options.images != nil, !options.renderers.contains(.cairo) else { return }
        guard FeedRenderer.builtIn.contains(.cairo) else { throw FeedRenderer.cairo.notBuiltIn }
        throw usage("--images is for the renderer cairo, which --renderers leaves out")
    }

    private mutating func apply(_ name: String, inline: String?) throws {
        switch name {
        case "--input": options.inputs += try inputs(inline: inline)
        case "--output": options.output = try value(of: name, inline: inline)
        case "--hz":
            let text = try value(of: name, inline: inline)
            guard let number = Int(text), Options.Limits.hz.contains(number) else {
                throw usage("--hz must be 60 or 120, not '\(text)'")
            }
            options.hz = number
        case "--frames": options.frames = try integer(of: name, inline: inline, in: Options.Limits.frames)
        case "--modes": options.modes = try modes(value(of: name, inline: inline))
        case "--renderers": options.renderers = try renderers(value(of: name, inline: inline))
        case "--images": options.images = try value(of: name, inline: inline)
        case "--draw-cost", "--storm-draw-cost":
            let cost = try drawCost(value(of: name, inline: inline), of: name)
            if name == "--draw-cost" { options.drawCost = cost } else { options.stormDrawCost = cost }
        case "--scale": options.scale = try scale(value(of: name, inline: inline))
        case "--width": options.width = try integer(of: name, inline: inline, in: Options.Limits.width)
        case "--height": options.height = try integer(of: name, inline: inline, in: Options.Limits.height)
        default: throw usage("unknown option '\(name)'")
        }
    }

    private mutating func value(of name: String, inline: String?) throws -> String {
        if let inline {
            guard !inline.isEmpty else { throw usage("\(name) needs a value") }
            return inline
        }
        guard let next = remaining.first, !next.isEmpty, !next.hasPrefix("--") else {
            throw usage("\(name) needs a value")
        }
        remaining.removeFirst()
        return next
    }

    private mutating func inputs(inline: String?) throws -> [String] {
        var paths = [try value(of: "--input", inline: inline)]
        while let next = remaining.first, !next.isEmpty, !next.hasPrefix("-") {
            paths.append(next)
            remaining.removeFirst()
        }
        return paths
    }

    private mutating func integer(
        of name: String, inline: String?, in range: ClosedRange<Int>
    ) throws -> Int {
        let text = try value(of: name, inline: inline)
        guard let number = Int(text), range.contains(number) else {
            throw usage(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }

    private func scale(_ text: String) throws -> Double {
        // A NaN is in no range, so it is refused here too.
        guard let number = Double(text), Options.Limits.scale.contains(number) else {
            throw usage("--scale must be a number from 1 to 4, not '\(text)'")
        }
        return number
    }

    private func drawCost(_ text: String, of name: String) throws -> DrawCost {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Double(String($0)) }
        guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
            Options.Limits.drawCost.contains(first), Options.Limits.drawCost.contains(last)
        else {
            throw usage("\(name) must be a number from 0 to 1000 or a range such as 1-4, not '\(text)'")
        }
        return DrawCost(milliseconds: first...last)
    }

    private func modes(_ text: String) throws -> [FeedMode] {
        try list(text, of: FeedMode.allCases, "--modes", name: \.name).sorted()
    }

    private func renderers(_ text: String) throws -> [FeedRenderer] {
        let renderers = try list(text, of: FeedRenderer.allCases, "--renderers", name: \.name)
        for renderer in renderers where !FeedRenderer.builtIn.contains(renderer) { throw renderer.notBuiltIn }
        return FeedRenderer.allCases.filter(renderers.contains)
    }

    /// Those of all that a list names, each once.
    private func list<Item: Equatable>(
        _ text: String, of all: [Item], _ option: String, name: (Item) -> String
    ) throws -> [Item] {
        var named: [Item] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let item = all.first(where: { name($0) == part }) else {
                throw usage("\(option) knows \(all.map(name).joined(separator: ", ")), not '\(part)'")
            }
            guard !named.contains(item) else { throw usage("\(option) names '\(part)' twice") }
            named.append(item)
        }
        return named
    }

    private func usage(_ message: String) -> DemoError {
        DemoError(.usage, message)
    }
}
