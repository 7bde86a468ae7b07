/// What each step does.
extension MailboxModel {
    /// One step of a sender, the receiver or a canceller; false if it cannot move.
    mutating func move(_ actor: Int) throws(Violation) -> Bool {
        if actor < senders.count { return try moveSender(actor) }
        return actor == senders.count ? try moveReceiver() : try moveCanceller(actor - senders.count - 1)
    }

    // MARK: Pages

    /// True when it has found the segment's entry, which is not empty.
    private mutating func find(_ a: inout Attaching, _ segment: Int) throws(Violation) -> Bool {
        let (place, index) = (segment / tableSize, segment % tableSize)
        switch a.step {
        case .loadTable:
            if let table = places[place] {
                a.table = table
                a.step = .loadEntry
            } else {
                a.step = .placeTable
            }
        case .placeTable:
            if places[place] == nil {
                tables.append(Array(repeating: .none, count: tableSize))
                places[place] = tables.count - 1
            }
            a.table = places[place] ?? 0
            a.step = .loadEntry
        case .loadEntry:
            a.found = tables[a.table][index]
            if a.found != .none { return true }
            a.step = .takePage
        case .takePage:
            if let page = free.min() {
                free.remove(page)
                a.page = page
            } else {
                pages.append(Page(slots: Array(repeating: Slot(), count: slotCount)))
                a.page = pages.count - 1
            }
            a.step = .assign
        case .assign:
            pages[a.page].segment = segment
            pages[a.page].cancelled = 0
            a.step = .attach
        case .attach:
            a.found = tables[a.table][index]
            if a.found == .none || omission == .attachesBlindly {
                a.found = .page(a.page)
                tables[a.table][index] = a.found
                return true
            }
            a.step = .put
        case .put:
            try put(a.page)
            return true
        }
        return false
    }

    private mutating func put(_ page: Int) throws(Violation) {
        if isDiscarding { pages[page] = Page(slots: Array(repeating: Slot(), count: slotCount)) }
        guard free.insert(page).inserted else { throw Violation(description: "page \(page) is free twice") }
    }

    // MARK: Senders

    private mutating func moveSender(_ index: Int) throws(Violation) -> Bool {
        var sender = senders[index]
        defer { senders[index] = sender }
        let slot = sender.position % slotCount
        switch sender.step {
        case .take:
            guard sender.jobsLeft > 0 else {
                sender = Sender(step: .done, jobsLeft: 0, nextJob: 0)
                return true
            }
            sender.position = tail
            tail += 1
            sender.step = .find
        case .find:
            guard try find(&sender.attaching, sender.position / slotCount) else { break }
            guard case .page(let page) = sender.attaching.found else {
                throw Violation(description: "a sender's segment is cancelled")
            }
            sender.page = page
            sender.attaching = Attaching()
            sender.step = .write
        case .write:
            pages[sender.page].slots[slot].word = sender.nextJob
            sender.step = .publish
        case .publish:
            let before = pages[sender.page].slots[slot]
            pages[sender.page].slots[slot].position = sender.position
            pages[sender.page].slots[slot].kind = .cancellable
            for canceller in cancellers.indices where cancellers[canceller].job == sender.nextJob {
                cancellers[canceller].page = sender.page
                cancellers[canceller].position = sender.position
            }
            let isAwaited = before.position == sender.position && before.kind == .awaited
            if isAwaited && omission != .doesNotWake {
                sender.step = .wake
            } else {
                finish(&sender)
            }
        case .wake:
            if receiver.step == .asleep, receiver.head == sender.position { receiver.step = .look }
            finish(&sender)
        case .done:
            return false
        }
        return true
    }

    private func finish(_ sender: inout Sender) {
        sender = Sender(step: .take, jobsLeft: sender.jobsLeft - 1, nextJob: sender.nextJob + 1)
    }

    // MARK: The receiver

    private mutating func moveReceiver() throws(Violation) -> Bool {
        let place = receiver.head % slotCount
        let slot = receiver.current.map { pages[$0].slots[place] } ?? Slot()
        let hasArrived = slot.position == receiver.head && slot.kind != .awaited
        switch receiver.step {
        case .look:
            receiver.kind = slot.kind
            receiver.step = hasArrived ? (slot.kind == .cancellable ? .claim : .read) : .recheck
            if receiver.step == .claim, omission == .takesWithoutClaim { receiver.step = .read }
        case .claim:
            receiver.kind = slot.kind
            setSlot(Slot(position: slot.position, kind: .skipped, word: slot.word))
            receiver.step = .read
        case .read:
            if receiver.kind == .cancellable { try deliver(slot.word) }
            receiver.passed = receiver.head / slotCount
            receiver.head += 1
            receiver.step = receiver.head % slotCount == 0 ? .clearEntry : .look
        case .clearEntry:
            // No other thread changes the table of a segment that has an entry.
            guard let table = places[receiver.passed / tableSize] else {
                throw Violation(description: "the receiver's table is gone")
            }
            tables[table][receiver.passed % tableSize] = .none
            receiver.attaching.table = table
            let isLast = receiver.passed % tableSize == tableSize - 1
            receiver.step = isLast ? .clearPlace : receiver.current == nil ? .find : .put
        case .clearPlace:
            places[receiver.passed / tableSize] = nil
            receiver.ahead = receiver.passed / tableSize + 1
            receiver.step = .placeAhead
        case .placeAhead:
            guard places[receiver.ahead] == nil else {
                receiver.ahead += 1
                break
            }
            places[receiver.ahead] = receiver.attaching.table
            receiver.ahead = 0
            receiver.step = receiver.current == nil ? .find : .put
        case .put:
            try put(receiver.current ?? 0)
            receiver.current = nil
            receiver.attaching = Attaching()
            receiver.step = .find
        case .find:
            let segment = receiver.head / slotCount
            var attaching = receiver.attaching
            let isFound = try find(&attaching, segment)
            receiver.attaching = attaching
            guard isFound else { break }
            if case .page(let page) = attaching.found {
                receiver.attaching = Attaching(page: page)
                receiver.step = .claimPage
            } else {
                pass(segment)
            }
        case .claimPage:
            let page = receiver.attaching.page
            let segment = receiver.head / slotCount
            receiver.attaching = Attaching()
            let isOpen = pages[page].cancelled.map { $0 < slotCount } ?? false
            if omission == .beginsWithoutClaim || pages[page].segment == segment && isOpen {
                if omission != .beginsWithoutClaim { pages[page].cancelled = nil }
                receiver.current = page
                receiver.step = .look
            } else {
                pass(segment)
            }
        case .recheck:
            receiver.seen = slot
            receiver.step = hasArrived ? .look : .announce
        case .announce:
            if omission == .sleepsWithoutLookingAgain {
                setSlot(Slot(position: receiver.head, kind: .awaited, word: slot.word))
                receiver.step = .asleep
            } else if slot.position == receiver.seen.position, slot.kind == receiver.seen.kind {
                setSlot(Slot(position: receiver.head, kind: .awaited, word: slot.word))
                receiver.step = .sleep
            } else {
                receiver.step = .look
            }
            receiver.seen = Slot()
        case .sleep:
            receiver.step = hasArrived ? .look : .asleep
        case .asleep:
            return false
        }
        return true
    }

    /// Changes the slot at the head.
    private mutating func setSlot(_ slot: Slot) {
        if let page = receiver.current { pages[page].slots[receiver.head % slotCount] = slot }
    }

    /// Passes a segment whose jobs are all cancelled.
    private mutating func pass(_ segment: Int) {
        receiver.attaching = Attaching()
        receiver.passed = segment
        receiver.head += slotCount
        receiver.step = .clearEntry
    }

    private mutating func deliver(_ word: Int) throws(Violation) {
        let (sender, job) = (word / 100, word % 100)
        let before = delivered[sender]
        // Cancelled jobs leave gaps in the order.
        guard job > before, (before + 1..<job).allSatisfy({ cancelledWords.contains(sender * 100 + $0) })
        else { throw Violation(description: "job \(word) came after \(before)") }
        guard !cancelledWords.contains(word) else {
            throw Violation(description: "job \(word) ran though cancelled")
        }
        delivered[sender] = job
        ended += 1
    }

    // MARK: Cancellers

    private mutating func moveCanceller(_ index: Int) throws(Violation) -> Bool {
        var canceller = cancellers[index]
        guard let page = canceller.page, canceller.step != .done else { return false }
        // What it no longer needs would make equal states differ.
        defer {
            cancellers[index] =
                canceller.step == .done ? Canceller(step: .done, job: canceller.job) : canceller
        }
        let (segment, place) = (canceller.position / slotCount, canceller.position % slotCount)
        let slot = pages[page].slots[place]
        let isWaiting = slot.position == canceller.position && slot.kind == .cancellable
        switch canceller.step {
        case .look:
            canceller.step = isWaiting ? (omission == .readsAfterClaim ? .claim : .read) : .done
        case .read:
            canceller.word = slot.word
            canceller.step = .claim
            if omission == .readsAfterClaim {
                try cancel(canceller)
                canceller.step = .done
            }
        case .claim:
            canceller.step = .done
            guard isWaiting else { break }
            pages[page].slots[place].kind = .skipped
            if omission == .readsAfterClaim {
                canceller.step = .read
            } else {
                try cancel(canceller)
                canceller.step = .count
            }
        case .count:
            canceller.step = .done
            guard let count = pages[page].cancelled, count < slotCount,
                pages[page].segment == segment || omission == .countsInAnySegment
            else { break }
            pages[page].cancelled = count + 1
            if count + 1 == slotCount { canceller.step = .loadTable }
        case .loadTable:
            canceller.table = places[segment / tableSize] ?? -1
            canceller.step = canceller.table < 0 ? .put : .mark
        case .mark:
            let entry = tables[canceller.table][segment % tableSize]
            if entry == .page(page) || omission == .marksBlindly {
                tables[canceller.table][segment % tableSize] = .cancelled
            }
            canceller.step = .put
        case .put:
            try put(page)
            canceller.step = .done
        case .done:
            break
        }
        return true
    }

    private mutating func cancel(_ canceller: Canceller) throws(Violation) {
        guard canceller.word == canceller.job else {
            throw Violation(description: "cancelled job \(canceller.word) instead of job \(canceller.job)")
        }
        guard delivered[0] < canceller.job else {
            throw Violation(description: "job \(canceller.job) was cancelled after it ran")
        }
        cancelledWords.insert(canceller.job)
        ended += 1
    }
}
