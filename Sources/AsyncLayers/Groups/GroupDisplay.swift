/// One display of a group: which members have a picture, which have none yet, and when all appear.
///
/// A layer is a member until its pass, or a newer one that replaced it, has ended. Pictures are held while
/// the display is open.
@MainActor
final class GroupDisplay {
    /// Whether a caller awaits its end.
    let isAwaited: Bool
    /// True until the group appears.
    private(set) var isOpen = true

    private var isBeginning = true
    private var isAppearing = false
    private var isSyncing = false

    /// In the order of the group, also those that have left, whose `group` is another one, or nil.
    private var pipelines: [DisplayPipeline] = []
    /// For each member that has not left, whether it has its picture.
    private var isReady: [ObjectIdentifier: Bool] = [:]
    private var readyCount = 0
    private var result = DisplayGroupResult()
    private var whenDone: (@MainActor (DisplayGroupResult) -> Void)?

    init(isAwaited: Bool, whenDone: @escaping @MainActor (DisplayGroupResult) -> Void) {
        (self.isAwaited, self.whenDone) = (isAwaited, whenDone)
    }

    func begin(_ members: [DisplayPipeline]) {
        pipelines = members
        for member in members { isReady[ObjectIdentifier(member)] = false }
        // A layer in a tree of the group is displayed with it, unless it leaves it meanwhile.
        let trees = members.map { $0.servingTree.flatMap { isReady[ObjectIdentifier($0)] == nil ? nil : $0 } }
        let parts = zip(members, trees).filter { $1 != nil }
        for (part, _) in parts { part.becomePart() }
        for (member, tree) in zip(members, trees) where tree == nil { member.beginPass(in: self) }
        for (part, tree) in parts {
            if part.servingTree === tree { leave(part, after: nil) } else { part.beginPass(in: self) }
        }
        isBeginning = false
        appearIfReady()
        finishIfDone()
    }

    /// A member has its picture, or has lost it to a newer pass.
    func setReady(_ member: DisplayPipeline, _ isReady: Bool) {
        guard let wasReady = self.isReady[ObjectIdentifier(member)] else { return }
        if wasReady != isReady {
            self.isReady[ObjectIdentifier(member)] = isReady
            readyCount += isReady ? 1 : -1
        }
        appearIfReady()
    }

    /// Shows the pictures that are ready, in the order of the group; others appear when they come.
    func appear() {
        dropInvalidated()
        guard isOpen else { return }
        isOpen = false
        isAppearing = true
        // Also of a member that is not ready: it may have lost a newer picture, and hold an older one. Not of
        // one that another group has taken since.
        for member in pipelines where member.group === self { member.releaseHeld() }
        isAppearing = false
        finishIfDone()
    }

    /// A member's pass has ended, and no newer one replaces it; without an outcome it never began.
    func leave(_ member: DisplayPipeline, after outcome: DisplayOutcome?) {
        guard let wasReady = isReady.removeValue(forKey: ObjectIdentifier(member)) else { return }
        if wasReady { readyCount -= 1 }
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

    private var areAllReady: Bool { !isBeginning && !isSyncing && isOpen && readyCount == isReady.count }

    /// What is held may be stale, or its layer gone, before its pipeline is notified.
    private func dropInvalidated() {
        // A member that leaves for that reason need not do this again: the caller checks.
        guard isOpen, !isSyncing else { return }
        isSyncing = true
        defer { isSyncing = false }
        for member in pipelines where member.group === self { member.dropInvalidated() }
    }

    private func finishIfDone() {
        guard !isBeginning, !isAppearing, !isOpen, isReady.isEmpty else { return }
        whenDone.take()?(result)
    }
}

/// A layer as a member of a group display.
extension DisplayPipeline {
    /// Begins a pass as a member of a group display, and leaves it if there is nothing to wait for.
    ///
    /// A callback may display the layer in another group meanwhile; then that group has it.
    func beginPass(in group: GroupDisplay) {
        self.group.take()?.leave(self, after: nil)
        guard self.group == nil else { return group.leave(self, after: nil) }
        self.group = group
        beginPass()
        if self.group === group, isSuspended || isSettled { leaveGroup(nil) }
    }

    /// Holds a finished picture until the group appears; false if the layer is in no group, or the group has
    /// appeared. Not an interim picture: the group shows the newest request.
    func hold(_ draw: Draw) -> Bool {
        guard let group, group.isOpen, machine.isCurrent(draw) else { return false }
        draw.isHeld = true
        // A newer pass may have begun, and be held, while this one was drawn synchronously.
        group.setReady(self, machine.current?.isHeld == true)
        return true
    }

    /// Shows the held picture.
    func releaseHeld() {
        for draw in machine.passes where draw.isHeld {
            draw.isHeld = false
            perform(machine.handle(.finished(draw)))
        }
    }

    /// Leaves the group, unless a newer pass follows. If none does, and an older picture is held, which was
    /// drawn synchronously, that one appears.
    func leaveGroup(after outcome: DisplayOutcome) {
        guard group != nil else { return }
        if isSettled { return leaveGroup(outcome) }
        if machine.current?.isHeld == true, !isOutdated { group?.setReady(self, true) }
    }

    /// Leaves the group; can also show what is held, which was drawn synchronously, and cannot be cancelled.
    func leaveGroup(_ outcome: DisplayOutcome?, showingHeld: Bool = false) {
        let group = group
        self.group = nil
        if showingHeld { releaseHeld() }
        group?.leave(self, after: outcome)
    }
}
