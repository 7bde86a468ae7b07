/// Something that is to be told of the end of a turn, and keeps by itself from asking twice.
///
/// It costs less than a ``Transaction``: no closure, and no look-up whether its like is pending.
package protocol TurnTarget: AnyObject, Sendable {
    /// The turn ends.
    @MainActor func turnEnds()
}
