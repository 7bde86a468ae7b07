extension DisplayPipeline: GroupMember {
    func beginPass(in round: DisplayRound) -> Bool {
        leaveRound(nil)
        self.round = round
        beginPass()
        guard !machine.isIdle else {
            self.round = nil
            return false
        }
        return true
    }

    /// Holds back a finished pass until the group appears; false if the layer is in no group, or it has.
    func hold(_ pass: Pass) -> Bool {
        guard let round, round.isOpen, machine.isWanted(pass) else { return false }
        updateRecord(of: pass) { $0.isHeld = true }
        round.setReady(self, true)
        return true
    }

    func releaseHeld() {
        for pass in passes.filter(\.isHeld).map(\.pass) {
            updateRecord(of: pass) { $0.isHeld = false }
            perform(machine.handle(.finished(pass)))
        }
    }

    /// Gives the seat in the group up, unless a newer pass is to take it.
    func leaveRound(after outcome: DisplayOutcome) {
        if isSettled { leaveRound(outcome) }
    }

    private func leaveRound(_ outcome: DisplayOutcome?) {
        guard let round else { return }
        self.round = nil
        round.leave(self, after: outcome)
    }
}
