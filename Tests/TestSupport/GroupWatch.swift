/// Watches that groups without a time limit appear in one step: as long as a layer of a group waits for its
/// picture, no other layer of it shows one.
@MainActor
package final class GroupWatch {
    private struct Member {
        let layer: ObjectIdentifier
        /// The layer's pass for the group, by the delegate's count.
        let pass: Int
        /// The newest pass that the layer shows.
        let shown: @MainActor () -> Int
    }

    private var groups: [Int: [Member]] = [:]
    /// The layers that have left a group while it was being displayed.
    private var excused: [Int: Set<ObjectIdentifier>] = [:]
    private var latest = 0
    /// How many groups of several layers have appeared under its eyes.
    package private(set) var appearedCount = 0

    package nonisolated init() {}

    /// The number of a group that is about to be displayed.
    package func nextNumber() -> Int {
        latest += 1
        excused[latest] = []
        return latest
    }

    /// A group was displayed, and is not done.
    package func begin(
        _ group: Int, _ members: [(layer: AnyObject, pass: Int, shown: @MainActor () -> Int)]
    ) {
        let former = excused.removeValue(forKey: group) ?? []
        groups[group] = members.filter { !former.contains(ObjectIdentifier($0.layer)) }.map { member in
            Member(layer: ObjectIdentifier(member.layer), pass: member.pass, shown: member.shown)
        }
    }

    /// A group is done.
    package func end(_ group: Int) {
        excused[group] = nil
        if let members = groups.removeValue(forKey: group), members.count > 1 { appearedCount += 1 }
    }

    /// A layer has left its groups: it was cancelled or suspended, has failed, or is gone.
    package func excuse(_ layer: AnyObject) {
        for group in excused.keys { excused[group]?.insert(ObjectIdentifier(layer)) }
        for group in groups.keys { groups[group]?.removeAll { $0.layer == ObjectIdentifier(layer) } }
    }

    /// What is wrong; nil if nothing is. Called when no callback is to come for what is shown.
    package var violation: String? {
        for (number, members) in groups {
            let shown = members.count { $0.shown() >= $0.pass }
            if shown > 0, shown < members.count {
                return "group \(number) shows \(shown) of \(members.count) pictures"
            }
        }
        return nil
    }
}
