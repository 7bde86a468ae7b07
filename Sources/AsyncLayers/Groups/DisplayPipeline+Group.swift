/// A layer's seat in the display of a group.
extension DisplayPipeline {
    /// Begins a pass with a seat in a round, which it leaves if there is nothing to wait for.
    ///
    /// Whoever is called back meanwhile may display the layer in yet another group; that one has it then.
    func beginPass(in round: DisplayRound) {
        let former = self.round
        self.round = round
        former?.leave(self, after: nil)
        guard self.round === round else { return }
        beginPass()
        if self.round === round, isSuspended || isSettled { leaveRound(nil) }
    }

    /// Holds back a finished pass until the group appears; false if the layer is in no group, or it has. An interim
    /// picture appears by itself: the group is to show what was asked for last.
    func hold(_ pass: DisplayPass) -> Bool {
        guard let round, round.isOpen, machine.isCurrent(pass.number) else { return false }
        pass.isHeld = true
        // A newer pass may have begun, and be held already, while this one was drawn synchronously.
        round.setReady(self, current?.isHeld == true)
        return true
    }

    /// Shows the picture that waits for the rest of the group.
    func releaseHeld() {
        for pass in passes where pass.isHeld {
            pass.isHeld = false
            perform(machine.handle(.finished(pass.number)))
        }
    }

    /// Gives the seat in the group up, unless a newer pass is to take it. If none comes, and an older picture is held,
    /// which was drawn synchronously, then that is the one to appear after all.
    func leaveRound(after outcome: DisplayOutcome) {
        if isSettled { return leaveRound(outcome) }
        if current?.isHeld == true, !isOutdated { round?.setReady(self, true) }
    }

    /// Gives the seat in the group up, and shows what is held for it still: that was drawn synchronously, and cannot be
    /// cancelled.
    func giveUpSeat(_ outcome: DisplayOutcome) {
        let round = round
        self.round = nil
        releaseHeld()
        round?.leave(self, after: outcome)
    }

    /// Gives the seat in the group up, whatever comes.
    func leaveRound(_ outcome: DisplayOutcome?) {
        guard let round else { return }
        self.round = nil
        round.leave(self, after: outcome)
    }
}
