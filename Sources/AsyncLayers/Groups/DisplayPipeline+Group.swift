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
