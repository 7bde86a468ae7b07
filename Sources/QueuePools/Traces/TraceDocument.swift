/// The meaning of an event of a ``TraceRecorder``.
enum EventKind: UInt8 {
    // The words of all but labels: the thread's name (two), and those named here.

    /// Its track, and how long it has waited, in attoseconds (two words); negative if that is not known.
    case jobBegins
    /// Its track.
    case jobEnds
    /// All words are the beginning of the text.
    case label
    /// All words are more of the text.
    case labelRest
    /// Its number, and the address and length of its name.
    case stageBegins, stageEnds, markedStageBegins, markedStageEnds
}

/// A text of at most 40 bytes in five words, and zeros behind it.
struct TraceText {
    static let byteCount = 40

    var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

    init(_ bytes: some Collection<UInt8>) {
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes.prefix(Self.byteCount)) }
    }

    /// The bytes before the first zero of some words.
    static func bytes(of words: some Any) -> [UInt8] {
        withUnsafeBytes(of: words) { Array($0.prefix { $0 != 0 }) }
    }
}

/// A document in Chrome's trace event format, made of events in the order in which they were recorded.
struct TraceDocument {
    /// A job or a stage that has begun on a thread.
    private struct Interval {
        var start: UInt64
        var name: String
        var category: String
        var arguments: [String]
        /// A job's track, or a stage's number: what an end has in common with its beginning.
        var number: UInt64
        var label: [UInt8] = []
    }

    private struct Stage: Hashable {
        var number: UInt64
        var name: String
    }

    private let since: UInt64
    private let tracks: [UInt64: String]
    private let process = SystemThread.processNumber
    private var start: UInt64?
    private var names: [UInt64: [UInt8]] = [:]
    /// The intervals of each thread that have not ended, from the outermost to the innermost.
    private var open: [UInt64: [Interval]] = [:]
    /// When, and on which thread, each stage began that has not ended.
    private var openStages: [Stage: (time: UInt64, thread: UInt64)] = [:]
    private var lines: [String] = []

    /// - Parameters:
    ///   - since: intervals that have ended before this time are left out.
    ///   - tracks: the labels of queues by number.
    init(since: UInt64, tracks: [UInt64: String]) {
        self.since = since
        self.tracks = tracks
    }

    mutating func add(_ event: EventRing.Event) {
        guard let kind = EventKind(rawValue: UInt8(truncatingIfNeeded: event.head)) else { return }
        if start == nil { start = event.time }
        let (thread, time, number) = (event.head >> 8, event.time, event.words.2)
        switch kind {
        case .label, .labelRest:
            guard let last = open[thread]?.indices.last else { return }
            let bytes = TraceText.bytes(of: event.words)
            if kind == .label { open[thread]?[last].label = [] }
            open[thread]?[last].label += bytes
            return
        case .jobBegins:
            var interval = job(number, at: time)
            let waited = Int128(Int64(bitPattern: event.words.4)) << 64 | Int128(event.words.3)
            if waited >= 0 {
                let nanoseconds = UInt64(clamping: waited / 1_000_000_000)
                interval.arguments.append(#""waited_us":\#(microseconds(nanoseconds))"#)
            }
            open[thread, default: []].append(interval)
        case .jobEnds: end(job(number, at: start ?? time), on: thread, at: time)
        case .stageBegins, .stageEnds, .markedStageBegins, .markedStageEnds:
            let address = UnsafePointer<UInt8>(bitPattern: UInt(event.words.3))
            let bytes = UnsafeBufferPointer(start: address, count: Int(event.words.4))
            let stage = Stage(number: number, name: String(decoding: bytes, as: UTF8.self))
            add(stage, kind, on: thread, at: time)
        }
        names[thread] = TraceText.bytes(of: (event.words.0, event.words.1))
    }

    private mutating func add(_ stage: Stage, _ kind: EventKind, on thread: UInt64, at time: UInt64) {
        let interval = Interval(
            start: time, name: stage.name, category: "display", arguments: [#""pass":\#(stage.number)"#],
            number: stage.number)
        switch kind {
        case .stageBegins, .markedStageBegins:
            openStages[stage] = (time, thread)
            if kind == .markedStageBegins { open[thread, default: []].append(interval) }
        default:
            if let beginning = openStages.removeValue(forKey: stage), time >= since {
                // By number, since its stages are on several threads.
                addPhase("b", of: stage, on: beginning.thread, at: beginning.time)
                addPhase("e", of: stage, on: thread, at: time)
            }
            if kind == .markedStageEnds { end(interval, on: thread, at: time) }
        }
    }

    private mutating func addPhase(_ phase: String, of stage: Stage, on thread: UInt64, at time: UInt64) {
        let place = #""pid":\#(process),"tid":\#(thread),"ts":\#(microseconds(time))"#
        lines.append(
            #"{"ph":"\#(phase)","id":\#(stage.number),"name":"\#(stage.name)","cat":"display",\#(place)}"#)
    }

    private func job(_ track: UInt64, at time: UInt64) -> Interval {
        let queue = tracks[track] ?? ""
        return Interval(
            start: time, name: queue, category: "job", arguments: [#""queue":"\#(escaped(queue))""#],
            number: track)
    }

    /// Ends an interval. If its beginning is not there any more, it is shown as it is given.
    private mutating func end(_ interval: Interval, on thread: UInt64, at time: UInt64) {
        var interval = interval
        if let index = open[thread]?.lastIndex(where: {
            $0.number == interval.number && $0.category == interval.category
        }) {
            interval = open[thread]?[index] ?? interval
            // An end of one within it that is missing was dropped.
            open[thread]?.removeSubrange(index...)
        }
        guard time >= since else { return }
        addLine(of: interval, "X", on: thread, #","dur":\#(microseconds(time - min(time, interval.start)))"#)
    }

    private mutating func addLine(
        of interval: Interval, _ phase: String, on thread: UInt64, _ duration: String
    ) {
        let label = String(decoding: interval.label, as: UTF8.self)
        let name = escaped(label.isEmpty ? interval.name : label)
        let place = #""pid":\#(process),"tid":\#(thread),"ts":\#(microseconds(interval.start))\#(duration)"#
        let arguments = interval.arguments.joined(separator: ",")
        lines.append(
            #"{"ph":"\#(phase)","name":"\#(name)","cat":"\#(interval.category)",\#(place),"args":{\#(arguments)}}"#
        )
    }

    /// The document of the events that were added.
    consuming func text() -> String {
        for (thread, intervals) in open.sorted(by: { $0.key < $1.key }) {
            for interval in intervals { addLine(of: interval, "B", on: thread, "") }
        }
        for (stage, beginning) in openStages.sorted(by: { $0.value.time < $1.value.time }) {
            addPhase("b", of: stage, on: beginning.thread, at: beginning.time)
        }
        let threads = names.sorted { $0.key < $1.key }.map { thread, bytes in
            let name = bytes.isEmpty ? "thread \(thread)" : escaped(String(decoding: bytes, as: UTF8.self))
            let place = #""pid":\#(process),"tid":\#(thread)"#
            return #"{"ph":"M","name":"thread_name",\#(place),"args":{"name":"\#(name)"}}"#
        }
        let all = (threads + lines).joined(separator: ",\n")
        return #"{"displayTimeUnit":"ms","traceEvents":["# + "\n\(all)\n]}\n"
    }

    private func microseconds(_ nanoseconds: UInt64) -> String {
        "\(nanoseconds / 1_000).\(String(nanoseconds % 1_000 + 1_000).dropFirst())"
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{0}"..<" ": text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
