import QueuePoolsTransactions

/// Layers whose pictures wait for one another, and appear in one step.
///
/// A group's display collects its layers, and then begins their passes. Another one that has a layer in
/// common with it joins until the first draw begins: all their layers appear together then, so no step shows
/// a part of either. From then on it *follows*: it collects its own layers, with all others that follow, and
/// begins when this one has appeared. So a storm of displays makes no picture stale that waits here.
///
/// A layer has one place among the displays that have begun, and one among those that follow. A layer that
/// follows begins no pass by itself: it would show a part of the display that follows. Its picture that waits
/// here appears, also if the layer was invalidated.
///
/// A layer leaves when it is settled, or when it is suspended. Pictures are held while the display waits.
@MainActor
final class GroupDisplay {
    private let host: DisplayHost
    /// In the order in which they came; also some that have left.
    private var layers: [any GroupedLayer] = []
    private var memberCount = 0
    private var readyCount = 0
    private var requests: [GroupRequest] = []
    /// False while it collects layers, whose passes begin later.
    private var hasBegun = false
    /// The display that begins when this one has appeared, unless it has begun meanwhile.
    private var next: GroupDisplay?
    /// The display that has taken its layers, if any has.
    private var successor: GroupDisplay?
    /// How many displays are beginning their passes here, or suspend their layers.
    private var beginningCount = 0

    /// When it began; until then, when it was made.
    private var began: Duration
    /// When it appears at the latest: when the times of all requests have passed…
    private var appearance: Duration
    /// … but not after four times the first one's.
    private var lastAppearance: Duration
    private var timer: HostTimer?
    /// Members may be stale: they are being looked at.
    private var isChecking = false

    private init(_ host: DisplayHost, timeLimit: Duration) {
        self.host = host
        began = host.loop.now
        (appearance, lastAppearance) = (began + timeLimit, began + timeLimit * 4)
    }

    /// Displays layers together, with those that wait for any of them, or after those.
    ///
    /// - Parameter timeLimit: how long pictures wait for the others.
    static func begin(
        _ layers: [any GroupedLayer], for request: GroupRequest, timeLimit: Duration, on host: DisplayHost
    ) {
        host.together {
            host.enter { GroupDisplay(host, timeLimit: timeLimit).place(layers, for: request) }?.start()
        }
    }

    /// Collects layers, here or where one of them is collected already. Returns the display that begins
    /// now; nil if it follows another one.
    private func place(_ layers: [any GroupedLayer], for request: GroupRequest) -> GroupDisplay? {
        var display = self
        var formers: [GroupDisplay] = []
        var seen: Set<ObjectIdentifier> = []
        var mustJoin = false
        for layer in layers {
            // A pass that is still to be asked for would show the newest state before the others do.
            if layer.isAsking { mustJoin = true }
            if let other = layer.nextMember?.display, other !== display {
                // That one begins in any case: a display that it follows will appear.
                if display === self { display = other } else { display.take(other) }
            }
            guard let former = layer.member?.display else { continue }
            // Once for each: one that appears between two looks would have nothing begin that follows it.
            if seen.insert(ObjectIdentifier(former)).inserted {
                if former.appearIfOverdue() { continue }
                if former.isBeingDrawn { formers.append(former) }
            }
            if former.beginningCount > 0 || !layer.hasPass { mustJoin = true }
        }
        let follows = !mustJoin && (display !== self || !formers.isEmpty)
        for former in formers where follows {
            if let next = former.next?.root, next !== display, !next.hasBegun { display.take(next) }
            former.next = display
            if request.isAwaited { former.raise() }
        }
        if display !== self { display.take(self) }
        for layer in layers { display.add(layer, [request]) }
        display.requests.append(request)
        request.display = display
        return follows ? nil : display
    }

    /// Begins the passes of the layers that it has collected.
    private func start() {
        // It has joined another one, or has begun with one of those that it followed.
        guard !hasBegun, !requests.isEmpty else { return }
        prune()
        let (layers, requests) = (layers, requests)
        host.enter { join() }
        // All begin before the main thread waits for any.
        for layer in layers {
            layer.begin()
            // There may be nothing to wait for.
            host.enter { layer.leaveIfSettled() }
        }
        host.enter {
            // Which may have joined another one meanwhile.
            requests[0].display?.endBeginning()
            for request in requests { request.finishIfDone(on: host) }
        }
    }

    /// Becomes one with the displays that wait for its layers.
    private func join() {
        let members = layers
        let delay = host.loop.now - began
        (began, appearance, lastAppearance) = (began + delay, appearance + delay, lastAppearance + delay)
        (hasBegun, layers, memberCount) = (true, [], 0)
        var largest = self
        for layer in members {
            guard let other = layer.member?.display, other !== largest else { continue }
            if other.appearIfOverdue() { continue }
            if other.memberCount > largest.memberCount {
                other.take(largest)
                largest = other
            } else {
                largest.take(other)
            }
        }
        for layer in members {
            if let member = layer.nextMember.take() { largest.add(layer, member.requests) }
        }
        largest.beginningCount += 1
        largest.setTimer()
    }

    /// Shows the pictures that are there if the time limit has passed: the main thread was busy.
    private func appearIfOverdue() -> Bool {
        guard host.loop.now >= appearance, beginningCount == 0 else { return false }
        appear()
        return true
    }

    private var isBeingDrawn: Bool {
        layers.contains { member($0) != nil && $0.isBeingDrawn }
    }

    private func raise() {
        for layer in layers where member(layer) != nil { layer.raise() }
    }

    /// The place of a layer that waits here.
    private func member(_ layer: any GroupedLayer) -> GroupMember? {
        let member = hasBegun ? layer.member : layer.nextMember
        return member?.display === self ? member : nil
    }

    /// Suspends layers, and shows no part of a display on the way.
    static func suspend(_ layers: [any GroupedLayer]) {
        let displays = layers.compactMap { $0.member?.display }
        for display in displays { display.beginningCount += 1 }
        for layer in layers { layer.suspend() }
        for display in displays { display.endBeginning() }
    }

    private func endBeginning() {
        beginningCount -= 1
        if host.loop.now < appearance { appearIfReady() } else { appear() }
    }

    private func add(_ layer: any GroupedLayer, _ requests: [GroupRequest]) {
        let member = (hasBegun ? layer.member : layer.nextMember) ?? GroupMember()
        if hasBegun { layer.member = member } else { layer.nextMember = member }
        member.requests += requests
        guard member.display !== self else { return }
        member.display = self
        member.isReady = false
        layers.append(layer)
        memberCount += 1
        if layers.count > 2 * memberCount + 8 { prune() }
    }

    /// Drops what has left, and what is there twice.
    private func prune() {
        var seen: Set<ObjectIdentifier> = []
        layers.removeAll {
            member($0) == nil || !seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// Another display joins this one: both have begun, or neither has. O(its members and requests).
    private func take(_ other: GroupDisplay) {
        for layer in other.layers {
            guard let member = other.member(layer) else { continue }
            member.display = self
            layers.append(layer)
        }
        if let later = other.next.take()?.root, !later.hasBegun, later !== next?.root {
            if let next = next?.root, !next.hasBegun { next.take(later) } else { next = later }
        }
        for request in other.requests { request.display = self }
        requests += other.requests
        memberCount += other.memberCount
        readyCount += other.readyCount
        beginningCount += other.beginningCount
        // By this display's clock; those that have not begun will begin together.
        let difference = hasBegun ? host.loop.now - other.host.loop.now : began - other.began
        if !hasBegun { lastAppearance = max(lastAppearance, other.lastAppearance + difference) }
        if other.began + difference < began {
            began = other.began + difference
            lastAppearance = other.lastAppearance + difference
        }
        appearance = min(max(appearance, other.appearance + difference), lastAppearance)
        // The last time may be earlier than before. Set again by `join()`.
        timer?.cancel()
        other.timer?.cancel()
        (other.layers, other.requests, other.timer, timer) = ([], [], nil, nil)
        (other.memberCount, other.readyCount, other.beginningCount) = (0, 0, 0)
        other.successor = self
    }

    /// The display that this one is part of now.
    private var root: GroupDisplay { successor?.root ?? self }

    /// One timer at a time: one that comes too early, since the display was extended, is set again.
    private func setTimer() {
        guard timer == nil, appearance > host.loop.now else { return }
        timer = host.loop.perform(at: appearance) { [weak self] in
            guard let self else { return }
            timer = nil
            if host.loop.now < appearance {
                setTimer()
            } else {
                host.runFromLoop { self.host.enter { self.appear() } }
            }
        }
    }

    /// A member has its picture, or has lost it to a newer pass.
    func setReady(_ member: GroupMember, _ isReady: Bool) {
        guard member.isReady != isReady else { return }
        member.isReady = isReady
        readyCount += isReady ? 1 : -1
        appearIfReady()
    }

    /// A member is settled, or suspended.
    func leave(_ member: GroupMember) {
        memberCount -= 1
        if member.isReady { readyCount -= 1 }
        (member.display, member.isReady) = (nil, false)
        if hasBegun { appearIfReady() }
    }

    private var areAllReady: Bool {
        beginningCount == 0 && !isChecking && readyCount == memberCount
    }

    private func appearIfReady() {
        guard areAllReady else { return }
        dropInvalidated()
        if areAllReady { show() }
    }

    /// Shows the pictures that are there; others appear when they come.
    private func appear() {
        guard beginningCount == 0 else { return }
        dropInvalidated()
        show()
    }

    /// A picture that is held may be stale, or its layer gone, before that is notified.
    private func dropInvalidated() {
        isChecking = true
        for layer in layers where member(layer) != nil { layer.dropInvalidated() }
        isChecking = false
    }

    /// In the order in which the layers came.
    private func show() {
        timer?.cancel()
        timer = nil
        let members = layers.filter { member($0) != nil }
        (layers, memberCount, readyCount) = ([], 0, 0)
        for layer in members { layer.member?.leaveDisplay(latePass: layer.latePass) }
        for layer in members { layer.showHeld() }
        for request in requests { (request.hasAppeared, request.display) = (true, nil) }
        requests = []
        // The program is asked for tasks. Displays that it requests until then begin with these.
        if let next = next.take(), !next.root.hasBegun {
            host.append(
                .call {
                    let next = next.root
                    next.host.together { next.start() }
                })
        }
    }
}

/// A call of ``DisplayGroup/display(onEnd:)``.
@MainActor
final class GroupRequest {
    let isAwaited: Bool
    /// Where its layers wait; another one once that has joined it.
    fileprivate(set) var display: GroupDisplay?
    /// Its layers that are not settled.
    private var remaining: Int
    fileprivate var hasAppeared = false
    private var result = DisplayGroupResult()
    private var onEnd: (@MainActor (DisplayGroupResult) -> Void)?

    init(
        layerCount: Int, isAwaited: Bool, onEnd: @escaping @MainActor (DisplayGroupResult) -> Void
    ) {
        (remaining, self.isAwaited, self.onEnd) = (layerCount, isAwaited, onEnd)
    }

    fileprivate func count(_ outcome: GroupOutcome, on host: DisplayHost) {
        switch outcome {
        case .shown: if hasAppeared { result.late += 1 } else { result.together += 1 }
        case .failed: result.failed += 1
        case .cancelled: result.cancelled += 1
        }
        remaining -= 1
        finishIfDone(on: host)
    }

    fileprivate func finishIfDone(on host: DisplayHost) {
        guard remaining == 0, let onEnd = onEnd.take() else { return }
        host.append(.call { [result] in onEnd(result) })
    }
}

/// A layer's place in group displays.
@MainActor
package final class GroupMember {
    /// Where the layer's picture waits; nil once that has appeared.
    fileprivate(set) var display: GroupDisplay?
    /// What wants to know how the layer's display ends.
    fileprivate var requests: [GroupRequest] = []
    /// Whether the picture is there.
    fileprivate var isReady = false

    /// False once the display has appeared.
    package var isWaiting: Bool { display != nil }

    var isAwaited: Bool { requests.contains { $0.isAwaited } }

    /// The newest pass when a display appeared without the layer. It is late, and appears when it comes, also
    /// as an interim picture while the layer waits for the next display: in a storm of displays no other
    /// picture might come.
    private(set) var latePass: UInt64 = 0

    fileprivate func leaveDisplay(latePass: UInt64) {
        (display, isReady, self.latePass) = (nil, false, latePass)
    }
}

/// How the display of a layer has ended.
package enum GroupOutcome {
    case shown
    case failed
    case cancelled
}

extension GroupedLayer {
    /// True while a group's display collects the layer: it begins the layer's next pass.
    package var isFollowing: Bool { nextMember != nil }

    /// A pass has begun, or has its picture.
    package func updateGroup() {
        guard let member, let display = member.display else { return }
        display.setReady(member, isHeld)
    }

    /// Leaves the group, also if a newer pass is being drawn: it appears by itself.
    package func leaveGroup(_ outcome: GroupOutcome) { leave(member.take(), outcome) }

    /// Leaves the display that follows.
    package func stopFollowing() { leave(nextMember.take(), .cancelled) }

    private func leave(_ former: GroupMember?, _ outcome: GroupOutcome) {
        guard let former else { return }
        former.display?.leave(former)
        for request in former.requests { request.count(outcome, on: host) }
    }
}
