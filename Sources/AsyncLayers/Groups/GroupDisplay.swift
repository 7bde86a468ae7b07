/// One display of a group: which members have a picture, which have none yet, and when all appear.
///
/// A layer is a member until its pass has ended, or one that took over from it. Pictures are held back while the display
/// is open.
@MainActor
final class GroupDisplay {
    /// Whether a caller waits for it to be done.
    let isAwaited: Bool
    /// True until the group appears.
    private(set) var isOpen = true

    private var isBeginning = true
    private var isAppearing = false
    private var isSyncing = false
    private struct Member {
        /// In ``pipelines``.
        let index: Int
        /// Whether the member's picture is there.
        var isReady = false
    }

    /// In the order of the group; nil for those that have left.
    private var pipelines: [DisplayPipeline?] = []
    /// Those that have not left.
    private var members: [ObjectIdentifier: Member] = [:]
    private var readyCount = 0
    private var result = DisplayGroupResult()
    private var whenDone: (@MainActor (DisplayGroupResult) -> Void)?

    init(isAwaited: Bool, whenDone: @escaping @MainActor (DisplayGroupResult) -> Void) {
        self.isAwaited = isAwaited
        self.whenDone = whenDone
    }

    func begin(_ members: [DisplayPipeline]) {
        pipelines = members
        for (index, member) in members.enumerated() {
            self.members[ObjectIdentifier(member)] = Member(index: index)
        }
        for member in members { member.beginPass(in: self) }
        isBeginning = false
        appearIfReady()
        finishIfDone()
    }

    /// A member has its picture, or has lost it again to a newer pass.
    func setReady(_ member: DisplayPipeline, _ isReady: Bool) {
        guard let wasReady = members[ObjectIdentifier(member)]?.isReady else { return }
        if wasReady != isReady {
            members[ObjectIdentifier(member)]?.isReady = isReady
            readyCount += isReady ? 1 : -1
        }
        appearIfReady()
    }

    /// Shows what is there, in the order of the group; the rest comes when it comes.
    func appear() {
        dropInvalidated()
        guard isOpen else { return }
        isOpen = false
        isAppearing = true
        // Also of a member that is not ready: it may have lost a newer picture, and hold an older one still.
        // But not of one that another group has taken since.
        for case let member? in pipelines where member.group === self { member.releaseHeld() }
        isAppearing = false
        finishIfDone()
    }

    /// A member's pass has ended, and no newer one takes over from it; without an outcome it never began.
    func leave(_ member: DisplayPipeline, after outcome: DisplayOutcome?) {
        guard let place = members.removeValue(forKey: ObjectIdentifier(member)) else { return }
        pipelines[place.index] = nil
        if place.isReady { readyCount -= 1 }
        switch outcome {
        case .committed: if isAppearing { result.together += 1 } else { result.late += 1 }
        case .failed: result.failed += 1
        case .superseded, .cancelled, nil: result.cancelled += 1
        }
        appearIfReady()
        finishIfDone()
    }

    private func appearIfReady() {
        guard areAllReady else { return }
        dropInvalidated()
        if areAllReady { appear() }
    }

    private var areAllReady: Bool { !isBeginning && !isSyncing && isOpen && readyCount == members.count }

    /// What is held may be stale by now, or its layer gone, and its pipeline does not know yet.
    private func dropInvalidated() {
        // A member that leaves for that reason need not look again: the caller does.
        guard isOpen, !isSyncing else { return }
        isSyncing = true
        defer { isSyncing = false }
        for case let member? in pipelines where member.group === self { member.dropInvalidated() }
    }

    private func finishIfDone() {
        guard !isBeginning, !isAppearing, !isOpen, members.isEmpty else { return }
        whenDone.take()?(result)
    }
}

/// A layer as a member of a group display.
extension DisplayPipeline {
    /// Begins a pass as a member of a group display, which it leaves if there is nothing to wait for.
    ///
    /// A callback may display the layer in yet another group meanwhile; that one has it then.
    func beginPass(in group: GroupDisplay) {
        let former = self.group
        self.group = group
        former?.leave(self, after: nil)
        guard self.group === group else { return }
        beginPass()
        if self.group === group, isSuspended || isSettled { leaveGroup(nil) }
    }

    /// Holds back a finished picture until the group appears; false if the layer is in no group, or it has. An interim
    /// picture appears by itself: the group is to show what was asked for last.
    func hold(_ draw: Draw) -> Bool {
        guard let group, group.isOpen, machine.isCurrent(draw) else { return false }
        draw.isHeld = true
        // A newer pass may have begun, and be held already, while this one was drawn synchronously.
        group.setReady(self, machine.current?.isHeld == true)
        return true
    }

    /// Shows the picture that waits for the rest of the group.
    func releaseHeld() {
        for draw in machine.passes where draw.isHeld {
            draw.isHeld = false
            perform(machine.handle(.finished(draw)))
        }
    }

    /// Leaves the group, unless a newer pass is to take the place. If none comes, and an older picture is held, which was
    /// drawn synchronously, then that is the one to appear after all.
    func leaveGroup(after outcome: DisplayOutcome) {
        guard group != nil else { return }
        if isSettled { return leaveGroup(outcome) }
        if machine.current?.isHeld == true, !isOutdated { group?.setReady(self, true) }
    }

    /// Leaves the group, and shows what is held for it still: that was drawn synchronously, and cannot be cancelled.
    func leaveGroupShowingHeld(_ outcome: DisplayOutcome) {
        let group = group
        self.group = nil
        releaseHeld()
        group?.leave(self, after: outcome)
    }

    /// Leaves the group, whatever comes.
    func leaveGroup(_ outcome: DisplayOutcome?) {
        guard let group else { return }
        self.group = nil
        group.leave(self, after: outcome)
    }
}
