public import QueuePools

/// Marks the stages of display passes in a profiler's timeline as they happen: os_signpost on Apple's
/// platforms, LTTng, perf or Perfetto on Linux. `TraceRecorder` is one that writes files for Perfetto.
///
/// Given to a ``DisplayMetrics``. Each interval that begins ends, once, and intervals of one pass do not
/// overlap: `.waiting`, if any, ends before `.drawing` begins, and that before `.committing`.
///
/// A drawing that several layers share is marked once, under the number of the pass that requested it first.
///
/// *Thread-safe*: called on the thread on which an interval begins or ends. Waiting begins on the main thread
/// and ends where the draw starts; committing the other way round. Must not block.
public protocol DisplaySignposts: AnyObject, Sendable {
    /// A pass enters a stage.
    ///
    /// - Parameters:
    ///   - stage: the interval's name.
    ///   - pass: the number of the pass in its ``DisplayMetrics``, never 0.
    func begin(_ stage: DisplayStage, of pass: UInt64)

    /// A pass leaves a stage.
    func end(_ stage: DisplayStage, of pass: UInt64)
}

extension TraceRecorder: DisplaySignposts {
    /// Records the beginning of a stage on the calling thread.
    public func begin(_ stage: DisplayStage, of pass: UInt64) { record(stage, of: pass, isBeginning: true) }

    /// Records the end of a stage on the calling thread.
    public func end(_ stage: DisplayStage, of pass: UInt64) { record(stage, of: pass, isBeginning: false) }

    private func record(_ stage: DisplayStage, of pass: UInt64, isBeginning: Bool) {
        switch stage {
        case .waiting: record("waiting", of: pass, marksThread: false, isBeginning: isBeginning)
        case .drawing: record("drawing", of: pass, marksThread: true, isBeginning: isBeginning)
        case .committing: record("committing", of: pass, marksThread: false, isBeginning: isBeginning)
        }
    }
}
