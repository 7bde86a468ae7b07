import QueuePools
import QueuePoolsTransactions

/// Layers whose pictures wait for one another, and appear in one step.
///
/// It begins with a group's display. A display that has a layer in common with it joins: all their layers
/// appear together then, so no step shows a part of either. A layer leaves when it is settled, or when it is
/// suspended. Pictures are held while the display waits.
@MainActor
final class GroupDisplay {
    private let host: DisplayHost
    /// In the order in which they came; also some that have left.
    private var pipelines: [DisplayPipeline] = []
    private var memberCount = 0
    private var readyCount = 0
    private var requests: [GroupRequest] = []
    /// How many requests are beginning their passes, or suspend their layers.
    private var beginningCount = 0

    /// When the first of its requests came.
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

    /// Displays layers together, with those that wait for any of them.
    ///
    /// - Parameter timeLimit: how long pictures wait for the others.
    static func begin(
        _ pipelines: [DisplayPipeline], for request: GroupRequest, timeLimit: Duration, on host: DisplayHost
    ) {
        // All begin before the main thread waits for any.
        host.together {
            host.enter { join(pipelines, for: request, timeLimit: timeLimit, on: host) }
            for pipeline in pipelines {
                pipeline.layer.map { pipeline.beginPass(of: $0) }
                // There may be nothing to wait for.
                host.enter { pipeline.leaveGroup(after: .cancelled(.waiting)) }
            }
            host.enter {
                request.display?.endBeginning()
                request.finishIfDone(on: host)
            }
        }
    }

    private static func join(
        _ pipelines: [DisplayPipeline], for request: GroupRequest, timeLimit: Duration, on host: DisplayHost
    ) {
        let display = GroupDisplay(host, timeLimit: timeLimit)
        var largest = display
        for pipeline in pipelines {
            guard let other = pipeline.member?.display, other !== largest else { continue }
            // Overdue: the main thread was busy.
            if other.host.loop.now >= other.appearance, other.beginningCount == 0 {
                other.appear()
                continue
            }
            if other.memberCount > largest.memberCount {
                other.take(largest)
                largest = other
            } else {
                largest.take(other)
            }
        }
        for pipeline in pipelines { largest.add(pipeline, request) }
        largest.requests.append(request)
        largest.beginningCount += 1
        request.display = largest
        largest.setTimer()
    }

    /// Suspends layers, and shows no part of a display on the way.
    static func suspend(_ pipelines: [DisplayPipeline]) {
        let displays = pipelines.compactMap { $0.member?.display }
        for display in displays { display.beginningCount += 1 }
        for pipeline in pipelines { pipeline.suspend() }
        for display in displays { display.endBeginning() }
    }

    private func endBeginning() {
        beginningCount -= 1
        if host.loop.now < appearance { appearIfReady() } else { appear() }
    }

    private func add(_ pipeline: DisplayPipeline, _ request: GroupRequest) {
        let member = pipeline.member ?? GroupMember()
        pipeline.member = member
        member.requests.append(request)
        guard member.display !== self else { return }
        member.display = self
        member.isReady = false
        pipelines.append(pipeline)
        memberCount += 1
        if pipelines.count > 2 * memberCount + 8 { prune() }
    }

    /// Drops what has left, and what is there twice.
    private func prune() {
        var seen: Set<ObjectIdentifier> = []
        pipelines.removeAll {
            $0.member?.display !== self || !seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// Another display joins this one. O(its members and requests).
    private func take(_ other: GroupDisplay) {
        for pipeline in other.pipelines where pipeline.member?.display === other {
            pipeline.member?.display = self
            pipelines.append(pipeline)
        }
        for request in other.requests { request.display = self }
        requests += other.requests
        memberCount += other.memberCount
        readyCount += other.readyCount
        beginningCount += other.beginningCount
        // By this display's clock.
        let difference = host.loop.now - other.host.loop.now
        if other.began + difference < began {
            began = other.began + difference
            lastAppearance = other.lastAppearance + difference
        }
        appearance = min(max(appearance, other.appearance + difference), lastAppearance)
        // The last time may be earlier than before. Set again by `join`.
        timer?.cancel()
        other.timer?.cancel()
        (other.pipelines, other.requests, other.timer, timer) = ([], [], nil, nil)
    }

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
        appearIfReady()
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

    /// A picture that is held may be stale, or its layer gone, before its pipeline is notified.
    private func dropInvalidated() {
        isChecking = true
        for pipeline in pipelines where pipeline.member?.display === self { pipeline.dropInvalidated() }
        isChecking = false
    }

    /// In the order in which the layers came.
    private func show() {
        timer?.cancel()
        timer = nil
        let members = pipelines.filter { $0.member?.display === self }
        (pipelines, memberCount, readyCount) = ([], 0, 0)
        for pipeline in members {
            let isHeld = pipeline.machine.current?.isHeld == true
            pipeline.member?.leaveDisplay(latePass: isHeld ? 0 : pipeline.machine.newest)
        }
        for pipeline in members { pipeline.showHeld() }
        for request in requests { (request.hasAppeared, request.display) = (true, nil) }
        requests = []
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

    fileprivate func count(_ outcome: DisplayOutcome, on host: DisplayHost) {
        switch outcome {
        case .committed: if hasAppeared { result.late += 1 } else { result.together += 1 }
        case .failed: result.failed += 1
        case .superseded, .cancelled: result.cancelled += 1
        }
        remaining -= 1
        finishIfDone(on: host)
    }

    fileprivate func finishIfDone(on host: DisplayHost) {
        guard remaining == 0, let onEnd = onEnd.take() else { return }
        host.append(.call { [result] in onEnd(result) })
    }
}

/// A layer, as group displays know it.
@MainActor
final class GroupMember {
    /// Where the layer's picture waits; nil once that has appeared.
    fileprivate(set) var display: GroupDisplay?
    /// What wants to know how the layer's display ends.
    fileprivate var requests: [GroupRequest] = []
    /// Whether the picture is there.
    fileprivate var isReady = false

    var isAwaited: Bool { requests.contains { $0.isAwaited } }

    /// The newest pass when a display appeared without the layer. It is late, and appears when it comes, also
    /// as an interim picture while the layer waits for the next display: in a storm of displays no other
    /// picture might come.
    private(set) var latePass: UInt64 = 0

    fileprivate func leaveDisplay(latePass: UInt64) {
        (display, isReady, self.latePass) = (nil, false, latePass)
    }
}

/// A layer as a member of group displays.
extension DisplayPipeline {
    /// A pass has begun, or has its picture.
    func updateGroup() {
        guard let member, let display = member.display else { return }
        display.setReady(member, machine.current?.isHeld == true)
    }

    /// The group appears.
    fileprivate func showHeld() {
        if let current = machine.current, current.isHeld { perform(machine.handle(.finished(current))) }
    }

    /// Leaves the group if no newer pass follows.
    func leaveGroup(after outcome: DisplayOutcome) {
        guard member != nil else { return }
        if isSettled || isSuspended { leaveGroup(outcome) } else { updateGroup() }
    }

    /// Leaves the group, also if a newer pass is being drawn: it appears by itself.
    func leaveGroup(_ outcome: DisplayOutcome) {
        guard let former = member.take() else { return }
        former.display?.leave(former)
        for request in former.requests { request.count(outcome, on: host) }
    }
}
