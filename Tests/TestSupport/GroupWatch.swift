/// Watches that groups without a time limit appear in one step: as long as a layer of a group waits for its
/// picture, no other layer of it shows one.
@MainActor
package final class GroupWatch {
    private struct Member {
        let layer: ObjectIdentifier
        /// The layer's newest pass when the group was displayed, by the delegate's count.
        let pass: Int
        /// The newest pass that the layer shows.
        let shown: @MainActor () -> Int
    }

    private var groups: [Int: [Member]] = [:]
    private var latest = 0
    /// How many groups of several layers have appeared under its eyes.
    package private(set) var appearedCount = 0

    package nonisolated init() {}

    /// The number of a group that is about to be displayed.
    package func nextNumber() -> Int {
        latest += 1
        return latest
    }

    /// A group was displayed, its passes have begun, and it is not done.
    package func begin(
        _ group: Int, _ members: [(layer: AnyObject, pass: Int, shown: @MainActor () -> Int)]
    ) {
        // The others have their pictures already.
        groups[group] = members.filter { $0.shown() < $0.pass }.map { member in
            Member(layer: ObjectIdentifier(member.layer), pass: member.pass, shown: member.shown)
        }
    }

    /// A group is done.
    package func end(_ group: Int) {
        if let members = groups.removeValue(forKey: group), members.count > 1 { appearedCount += 1 }
    }

    /// A layer has left its groups: it was cancelled or suspended, has failed, or is gone.
    package func excuse(_ layer: AnyObject) {
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
