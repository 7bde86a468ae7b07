/// Marks the stages of display passes in a profiler's timeline as they happen: os_signpost on Apple's
/// platforms, LTTng, perf or Perfetto on Linux. ``TraceRecorder`` is one that writes files for Perfetto.
///
/// Given to a ``DisplayMetrics``; without one a layer pays a comparison with nil. Each interval that begins
/// ends, once, and intervals of one pass do not overlap: `.waiting`, if any, ends before `.drawing` begins, and
/// that before `.committing`.
///
/// A drawing that several layers share is told of once, under the number of the pass that asked for it first.
///
/// *Thread-safe*: called on the thread on which an interval begins or ends, often not the same for both.
/// Waiting begins on the main thread and ends where the draw starts; committing goes back. Must not block.
public protocol DisplaySignposts: AnyObject, Sendable {
    /// A pass enters a stage.
    ///
    /// - Parameters:
    ///   - stage: the interval's name.
    ///   - pass: the number of the pass in its ``DisplayMetrics``, never 0; it tells intervals of the same
    ///     stage apart.
    func begin(_ stage: DisplayStage, of pass: UInt64)

    /// A pass leaves a stage that it had entered.
    func end(_ stage: DisplayStage, of pass: UInt64)
}
