import Dispatch
import QueuePoolsLocks
public import QueuePools
import Synchronization

/// Records the jobs of pools, and with `AsyncLayers` the stages of display passes, for
/// <https://ui.perfetto.dev> or `chrome://tracing`, which show them on a timeline.
///
///     let recorder = TraceRecorder()
///     let workers = WorkerOptions(observation: JobObservation(signposts: recorder))
///     let pool = try WorkerQueuePool(label: "tiles", workers: workers)
///     let metrics = DisplayMetrics(signposts: recorder)  // of AsyncLayers
///     // … later, write recorder.json() to a file
///
/// Give each `DisplayMetrics` a recorder of its own, since passes are known by number. *Thread-safe.*
/// Recording takes no lock; the memory is taken at the start, 48 bytes an event, two events a job and six a
/// pass. Events beyond the capacity are counted and left out.
public final class TraceRecorder: JobSignposts, @unchecked Sendable {
    /// What an interval is.
    package enum Kind: Sendable {
        /// A job; its number is that of its track.
        case job
        /// A stage of something that has a number, which threads pass on to each other.
        case stage(StaticString, marksThread: Bool, isOfMainThread: Bool)
    }

    private struct Event {
        var nanoseconds: UInt64
        var thread: ThreadIdentity
        var number: UInt64
        var kind: Kind
        var isBeginning: Bool
    }

    // Each slot is written by the one thread that claimed its index, and published by a releasing store that
    // the reader acquires. Claiming is relaxed: it orders nothing, an index only must not repeat.
    private struct Slot: ~Copyable {
        var event = Event(
            nanoseconds: 0, thread: .current, number: 0, kind: .job, isBeginning: true)
        let isWritten = Atomic(false)
    }

    /// How many events are kept.
    public let capacity: Int

    private let slots: UnsafeMutablePointer<Slot>
    private let claimed = Atomic(0)
    /// The labels of queues.
    private let tracks = Lock<[String]>([])
    private let now: @Sendable () -> UInt64

    /// Makes a recorder.
    ///
    /// - Parameter capacity: how many events are kept, clamped to 1…2²⁴. Default: 65,536, some 10,000 passes.
    public convenience init(capacity: Int = 1 << 16) {
        self.init(capacity: capacity) { DispatchTime.now().uptimeNanoseconds }
    }

    init(capacity: Int, now: @escaping @Sendable () -> UInt64) {
        self.capacity = Self.capacity(for: capacity)
        self.now = now
        slots = .allocate(capacity: self.capacity)
        for index in 0..<self.capacity { (slots + index).initialize(to: Slot()) }
    }

    static func capacity(for wish: Int) -> Int { min(max(1, wish), 1 << 24) }

    deinit {
        slots.deinitialize(count: capacity)
        slots.deallocate()
    }

    /// How many events were left out.
    public var droppedEvents: Int { max(0, claimed.load(ordering: .relaxed) - capacity) }

    /// Registers the label under which jobs are shown.
    public func track(labelled label: String) -> Int {
        tracks.withLock { tracks in
            tracks.append(label)
            return tracks.count - 1
        }
    }

    /// Records the beginning of a job on the calling thread.
    public func begin(on track: Int) { record(.job, UInt64(track), isBeginning: true) }

    /// Records the end of a job on the calling thread.
    public func end(on track: Int) { record(.job, UInt64(track), isBeginning: false) }

    /// Records where an interval begins or ends, on the calling thread.
    package func record(_ kind: Kind, _ number: UInt64, isBeginning: Bool) {
        let index = claimed.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < capacity else { return }
        slots[index].event = Event(
            nanoseconds: now(), thread: .current, number: number, kind: kind, isBeginning: isBeginning)
        slots[index].isWritten.store(true, ordering: .releasing)
    }

    private static func escaped(_ label: String) -> String {
        label.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{0}"..<" ": text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// What was recorded so far, in Chrome's trace event format: some 300 bytes a stage. May be called while
    /// others record.
    public func json() -> String {
        let events = (0..<min(capacity, claimed.load(ordering: .relaxed))).compactMap { index in
            slots[index].isWritten.load(ordering: .acquiring) ? slots[index].event : nil
        }
        let main = events.first { event in
            if case .stage(_, _, isOfMainThread: true) = event.kind { event.isBeginning } else { false }
        }?.thread
        let labels = tracks.withLock { $0 }
        var threads: [ThreadIdentity: Int] = [:]
        var lines: [String] = []
        for event in events {
            let thread = threads[event.thread, default: threads.count + 1]
            if threads.updateValue(thread, forKey: event.thread) == nil {
                let name = event.thread == main ? "main" : "drawing \(thread)"
                lines.append(
                    #"{"ph":"M","name":"thread_name","pid":1,"tid":\#(thread),"args":{"name":"\#(name)"}}"#)
            }
            let time = "\(event.nanoseconds / 1_000).\(String(event.nanoseconds % 1_000 + 1_000).dropFirst())"
            let place = #""pid":1,"tid":\#(thread),"ts":\#(time)"#
            let phase = event.isBeginning ? "B" : "E"
            guard case .stage(let stage, let marksThread, _) = event.kind else {
                let label = Self.escaped(labels[Int(event.number)])
                lines.append(#"{"ph":"\#(phase)","name":"\#(label)","cat":"job",\#(place)}"#)
                continue
            }
            let common = #""name":"\#(stage)","cat":"display",\#(place)"#
            // By number, since its stages are on several threads; some also by thread.
            lines.append(#"{"ph":"\#(phase.lowercased())","id":\#(event.number),\#(common)}"#)
            if marksThread {
                let arguments = #""args":{"pass":\#(event.number)}"#
                lines.append(#"{"ph":"\#(phase)",\#(common),\#(arguments)}"#)
            }
        }
        return #"{"displayTimeUnit":"ms","traceEvents":["# + "\n\(lines.joined(separator: ",\n"))\n]}\n"
    }
}
