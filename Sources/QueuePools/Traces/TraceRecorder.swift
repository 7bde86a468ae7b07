import Dispatch
import QueuePoolsLocks

/// Records the last jobs of pools, and with `AsyncLayers` the stages of display passes, for
/// <https://ui.perfetto.dev> or `chrome://tracing`, which show them on a timeline.
///
///     let recorder = TraceRecorder()
///     let workers = WorkerOptions(observation: JobObservation(signposts: recorder))
///     let pool = try WorkerQueuePool(label: "tiles", workers: workers)
///     let metrics = DisplayMetrics(signposts: recorder)  // of AsyncLayers
///     // … when something has gone wrong, write recorder.json(last: .seconds(10)) to a file
///
/// It shows each job on its thread, under the label that the job was submitted with or else that of its
/// queue (of its tier, for unordered jobs and queues of `makeQueue`), and how long the job has waited.
/// Threads have the numbers and names that the kernel gives them.
///
/// Give each `DisplayMetrics` a recorder of its own, since passes are known by number. *Thread-safe.*
/// Recording takes no lock. The memory is taken at the start: 64 bytes an event, two events a job, one more
/// for each 40 bytes of its label, and six a pass. The newest event takes the place of the oldest.
public final class TraceRecorder: JobSignposts, Sendable {
    /// How many events are kept.
    public var eventLimit: Int { ring.capacity }

    let ring: EventRing
    /// The labels of queues, and their numbers.
    private let tracks = Lock<[String: Int]>([:])
    private let now: @Sendable () -> UInt64

    /// Makes a recorder.
    ///
    /// - Parameter eventLimit: how many events are kept: clamped to 1…2²⁴, and rounded up to a power of two.
    ///   Default: 65,536, some 30,000 jobs or 10,000 passes, in 4 MiB.
    public convenience init(eventLimit: Int = 1 << 16) {
        self.init(eventLimit: eventLimit) { DispatchTime.now().uptimeNanoseconds }
    }

    init(eventLimit: Int, now: @escaping @Sendable () -> UInt64) {
        ring = EventRing(capacity: Self.capacity(for: eventLimit))
        self.now = now
    }

    static func capacity(for wish: Int) -> Int {
        let count = min(max(1, wish), 1 << 24)
        return 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// How many events have been left out because later ones took their places.
    public var droppedEvents: Int { max(0, Int(ring.recordedCount) - eventLimit) }

    /// Registers the label under which jobs are shown. Equal labels have one number.
    public func track(labelled label: String) -> Int {
        tracks.withLock { tracks in
            if let number = tracks[label] { return number }
            let number = tracks.count
            tracks[label] = number
            return number
        }
    }

    /// Records the beginning of a job on the calling thread, and how long it has waited.
    public func begin(on track: Int, waited: Duration?) {
        // In attoseconds: a division would be a third of an event's cost.
        let attoseconds = waited?.attoseconds ?? -1
        record(
            .jobBegins, UInt64(track), UInt64(truncatingIfNeeded: attoseconds),
            UInt64(truncatingIfNeeded: attoseconds >> 64))
    }

    /// Records the label of the job that the calling thread runs: its first 240 bytes.
    public func label(_ label: String) {
        var label = label
        label.withUTF8 { bytes in
            let time = now()
            var (kind, rest) = (EventKind.label, bytes.prefix(240))
            repeat {
                let piece = rest.prefix(TraceText.byteCount)
                rest = rest.dropFirst(TraceText.byteCount)
                record(kind, of: .current, at: time, TraceText(piece).words)
                kind = .labelRest
            } while !rest.isEmpty
        }
    }

    /// Records the end of a job on the calling thread.
    public func end(on track: Int) { record(.jobEnds, UInt64(track)) }

    /// Records on the calling thread that a stage of something that has a number begins or ends. Threads pass
    /// such things on to each other.
    ///
    /// - Parameters:
    ///   - stage: a literal.
    ///   - marksThread: whether the stage is shown on its thread as well.
    package func record(_ stage: StaticString, of number: UInt64, marksThread: Bool, isBeginning: Bool) {
        let kind: EventKind =
            switch (isBeginning, marksThread) {
            case (true, false): .stageBegins
            case (false, false): .stageEnds
            case (true, true): .markedStageBegins
            case (false, true): .markedStageEnds
            }
        record(kind, number, UInt64(UInt(bitPattern: stage.utf8Start)), UInt64(stage.utf8CodeUnitCount))
    }

    @inline(__always)
    private func record(_ kind: EventKind, _ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0) {
        let thread = SystemThread.current
        record(kind, of: thread, at: now(), (thread.name.0, thread.name.1, first, second, third))
    }

    @inline(__always)
    private func record(
        _ kind: EventKind, of thread: SystemThread, at time: UInt64,
        _ words: (UInt64, UInt64, UInt64, UInt64, UInt64)
    ) {
        let head = UInt64(thread.number) << 8 | UInt64(kind.rawValue)
        ring.record(EventRing.Event(time: time, head: head, words: words))
    }

    /// The recorded events, in Chrome's trace event format: some 200 bytes a job, 400 a stage.
    ///
    /// A job that still runs has a beginning without an end. One that began before the oldest event that is
    /// there is shown from that event on, and not at all while it runs: `QueuePool.activity(of:)` has it.
    ///
    /// May be called while others record: it takes no longer than the limit requires, and delays no job.
    ///
    /// - Parameter duration: how far to look back from now. Jobs and stages that ended earlier are left out.
    ///   Default: nil, as far as there are events.
    public func json(last duration: Duration? = nil) -> String {
        let nanoseconds = duration.map { UInt64(clamping: $0.attoseconds / 1_000_000_000) }
        let time = now()
        var document = TraceDocument(
            since: nanoseconds.map { time > $0 ? time - $0 : 0 } ?? 0,
            tracks: tracks.withLock { $0 }.reduce(into: [:]) { $0[UInt64($1.value)] = $1.key })
        for event in ring.events() { document.add(event) }
        return document.text()
    }
}
