import QueuePools
import Sentinels
import Synchronization

/// One draw, from the request to its outcome.
///
///     requested ──► waits in its place ──► drawn on a pool thread ──► received ──► ended, with one outcome
///                   (``DrawPlace``)        (``run()``)                (``receive(on:)``)
///
/// The layer's ``DisplayStateMachine`` decides what happens to it; this type says what can, and does it. A
/// draw whose picture exists already, or that is empty, goes from the first step to the last.
///
/// **Shared draws.** A draw whose key equals that of one in flight follows that one: the leader's picture is
/// for all. A leader continues for its followers even if its own layer does not want it any more.
@MainActor
final class Draw: DisplayPass, @unchecked Sendable {
    nonisolated let number: UInt64
    /// The draw's number among those of all layers of its host.
    nonisolated let id: UInt64
    nonisolated let pipeline: DisplayPipeline
    let isSynchronous: Bool
    let requestedAt: Duration
    /// The time without requests for the layer before this one.
    private let quietTime: Duration
    /// Retained until the draw has ended, so that its closures are released here, on the main actor.
    var task: BaseTask
    /// The other layers that are drawn into the same picture and receive the outcome.
    var parts: [ComposedPart] = []

    var source = DisplaySource.drawn
    var key: PictureKey?
    /// True for a picture of less than the layer's scale, after which the whole is drawn.
    var isDraft = false
    /// True if the program has chosen its tier: it is not demoted then.
    var isMoved = false
    /// True while the picture waits for the rest of its group.
    var isHeld = false

    /// Where it waits or has waited; nil before it is begun, and if there is nothing to wait for.
    private(set) var place: DrawPlace?
    private(set) var leader: Draw?
    @exclusivity(unchecked) private var followers: [Draw] = []
    /// True once the thread has finished, and the draw is on its way to the main actor.
    private nonisolated let isDrawn = Atomic<Bool>(false)

    /// The picture, found or received, until it is shown or discarded.
    var picture: Picture?
    /// The most bytes of contexts and contents that are alive at once while it is drawn.
    var byteCount = 0

    // What is drawn. Written by the main actor before the draw waits, and read by the thread that takes it
    // from its place (`DrawPlace` orders the two). The main actor releases it once the draw has come back.

    /// The drawing; nil if there is none, or not any more.
    @exclusivity(unchecked) nonisolated(unsafe) var work: DrawWork?
    /// The whole picture, drawn or found.
    @exclusivity(unchecked) nonisolated(unsafe) var geometry = ContentsGeometry(size: .zero, scale: 1)
    @exclusivity(unchecked) nonisolated(unsafe) var description = ContextDescription(
        pixelWidth: 0, pixelHeight: 0)
    /// The parts that it is drawn in, one after the other; nil for one context for the whole.
    @exclusivity(unchecked) nonisolated(unsafe) var tiles: [ContextDescription]?
    @exclusivity(unchecked) nonisolated(unsafe) var background: Color?
    @exclusivity(unchecked) nonisolated(unsafe) var fillsBackground = true
    /// The bytes of the picture, or of its tiles.
    @exclusivity(unchecked) nonisolated(unsafe) var pictureByteCount = 0
    /// Raised when the draw is stopped. Nil if it cannot be.
    @exclusivity(unchecked) nonisolated(unsafe) var sentinel: Sentinel?

    // What the thread has made. Its own until the main actor receives the draw (`CompletionQueue` orders the
    // two), also if the draw has ended for its layer before.

    @exclusivity(unchecked) nonisolated(unsafe) var drawnPicture: Picture?
    @exclusivity(unchecked) private nonisolated(unsafe) var result: DrawResult?
    private nonisolated(unsafe) var drawnTimes: DrawTimes?

    /// When it was drawn; nil until it has been, and if another draw's picture was shared.
    private(set) var times: DrawTimes?

    init(
        _ number: UInt64, of pipeline: DisplayPipeline, _ task: consuming BaseTask, isSynchronous: Bool,
        at time: Duration, quietTime: Duration
    ) {
        self.number = number
        id = pipeline.host.passBegan()
        self.pipeline = pipeline
        self.task = task
        self.isSynchronous = isSynchronous
        self.quietTime = quietTime
        requestedAt = time
    }

    private nonisolated var signposts: (any DisplaySignposts)? { pipeline.host.signposts }

    // MARK: Waiting

    /// Takes over the place of an older draw of the layer, if that has not begun. An older draw that others
    /// follow then waits in a new place.
    func takeOver(_ older: Draw) -> Bool {
        guard !isSynchronous, isToBeDrawn, let place = older.place, place.isWaiting else { return false }
        // Before a thread may take it. Another thread may take the older one meanwhile.
        signposts?.begin(.waiting, of: id)
        self.place = place
        guard place.exchange(older, for: self) else {
            signposts?.end(.waiting, of: id)
            self.place = nil
            return false
        }
        if older.isShared {
            older.task.tier = older.tier
            older.waitInNewPlace(pipeline.host, mayDemoteOthers: false)
        } else {
            older.leavePlace()
        }
        if let key { pipeline.cache?.begin(self, for: key) }
        return true
    }

    /// Waits for memory and for a thread, unless it does so already, in the place of an older draw.
    func begin(on host: DisplayHost, mayDemoteOthers: Bool) {
        guard place == nil, !isSynchronous, isToBeDrawn else { return }
        if let key { pipeline.cache?.begin(self, for: key) }
        signposts?.begin(.waiting, of: id)
        waitInNewPlace(host, mayDemoteOthers: mayDemoteOthers)
    }

    /// Waits for memory, and goes into the pool when there is some.
    private func waitInNewPlace(_ host: DisplayHost, mayDemoteOthers: Bool) {
        let place = DrawPlace(for: self)
        self.place = place
        host.beginWaiting(place, mayDemoteOthers: mayDemoteOthers)
        host.budget.admit(place)
    }

    /// Ends the draw if it has not begun; false if it has.
    private func withdraw() -> Bool {
        if let place, !place.withdraw(self) { return false }
        leavePlace()
        return true
    }

    private func leavePlace() {
        task.tier = tier
        if place.take() != nil { signposts?.end(.waiting, of: id) }
        end()
    }

    /// Where it waits, or the draw that it follows does.
    var waitingPlace: DrawPlace? { leader?.place ?? place }

    /// Where it waits, was drawn, or is to be drawn.
    var tier: QoSTier { (leader == nil ? place?.tier : waitingPlace?.tier) ?? task.tier }

    /// Raises the tier where it waits, or is to be drawn.
    func raise(to tier: QoSTier) {
        if let place = waitingPlace {
            place.raise(to: tier)
        } else {
            task.tier = max(task.tier, tier)
        }
    }

    var isShared: Bool { !followers.isEmpty }

    /// True while another draw's picture is awaited.
    var isFollowing: Bool { leader != nil }

    /// True until it has been drawn, if it must be.
    var isToBeDrawn: Bool { work != nil }

    /// True when neither its own nor a leader's drawing is awaited.
    var isOver: Bool { !isToBeDrawn && !isFollowing }

    // MARK: Sharing

    /// Shares this draw's picture with a follower. Returns false if it was told to stop, or has ended, or if
    /// the follower waits in an older place of its own layer, which may be this draw's.
    func accept(_ follower: Draw, placeOfItsOwn: DrawPlace?) -> Bool {
        guard sentinel?.value == 0, isToBeDrawn, let place else { return false }
        if place.isWaiting, let placeOfItsOwn, placeOfItsOwn.isWaiting, placeOfItsOwn.since <= place.since {
            return false
        }
        followers.append(follower)
        follower.leader = self
        if follower.task.tier > place.tier { place.raise(to: follower.task.tier) }
        return true
    }

    // MARK: Dropping and stopping

    /// Ends the draw for its layer if nothing is lost: it is not being drawn, or others follow it.
    ///
    /// - Returns: the stage that it ends at; nil if it is being drawn for this layer alone.
    func drop() -> DisplayStage? {
        if isHeld {
            isHeld = false
            return .committing
        }
        if let leader {
            // It is drawn for this layer alone.
            if leader.isBeingDrawn, leader.followers.count == 1, !leader.pipeline.machine.isInFlight(leader) {
                return nil
            }
            self.leader = nil
            // Not `removeAll`, which would visit all of them each time, where all leave.
            if let index = leader.followers.firstIndex(where: { $0 === self }) {
                leader.followers.remove(at: index)
            }
            leader.stopUnlessWanted()
            return .waiting
        }
        if !followers.isEmpty { return .waiting }
        return withdraw() ? .waiting : nil
    }

    /// True from when a thread takes it until it is received.
    private var isBeingDrawn: Bool { isToBeDrawn && place?.isWaiting == false }

    /// Its state for a newer draw of the layer: being drawn, or dropped at no loss.
    func previousState(towards newer: Draw, _ pace: DrawPace) -> DisplayStateMachine<Draw>.Previous {
        let drawing = leader ?? self
        if !isHeld, drawing.isBeingDrawn, newer.leader !== drawing {
            // Relaxed: it may be drawn already; then stopping comes too late.
            let canStop = !drawing.isDrawn.load(ordering: .relaxed)
            return .drawing(isStoppingWorthwhile: canStop && pace.isStoppingWorthwhile(quietTime: quietTime))
        }
        if let stage = drop() { return .droppable(stage) }
        return .drawing(isStoppingWorthwhile: false)
    }

    /// Tells the draw, which is being drawn, to stop.
    func stop() { (leader ?? self).sentinel?.increase() }

    /// Stops the draw if the last follower has left and its own layer does not want it any more.
    private func stopUnlessWanted() {
        guard followers.isEmpty, !pipeline.machine.isInFlight(self) else { return }
        if !withdraw() { stop() }
    }

    // MARK: Drawing

    /// Draws; called on a pool thread, by the place.
    nonisolated func run() {
        signposts?.end(.waiting, of: id)
        draw()
        isDrawn.store(true, ordering: .relaxed)
        pipeline.host.post(self)
    }

    /// Ends without having been drawn: the pool refused it. Reported later, as every end, and not to a caller
    /// that is still beginning the pass.
    nonisolated func refuse(_ error: any Error) {
        signposts?.end(.waiting, of: id)
        result = .failed(error)
        pipeline.host.post(self)
    }

    /// Draws on the main actor, in the call; cannot be stopped.
    func drawNow(on host: DisplayHost) {
        guard isToBeDrawn else { return }
        host.budget.charge(bytes: byteCount)
        draw()
        receive(on: host)
    }

    private nonisolated func draw() {
        let start = pipeline.host.now
        signposts?.begin(.drawing, of: id)
        result = work?.run(self)
        signposts?.end(.drawing, of: id)
        if case .finished? = result { signposts?.begin(.committing, of: id) }
        drawnTimes = DrawTimes(start: start, end: pipeline.host.now)
    }

    /// Receives the draw on the main actor, and passes its result on.
    func receive(on host: DisplayHost) {
        guard isToBeDrawn, let result = result.take() else { return }
        let (followers, times) = (followers, drawnTimes)
        end()
        picture = drawnPicture.take()
        host.budget.release(bytes: byteCount)
        if let key, let cache = pipeline.cache, let picture { cache.insert(picture, for: key) }
        // Before the draw's own layer gets the picture, which may leave it.
        for follower in followers { follower.picture = picture?.hold() }
        // One report has the time of the drawing, so that sums are right.
        if result.hasDrawn {
            if followers.isEmpty || pipeline.machine.isInFlight(self) {
                self.times = times
            } else {
                followers[0].times = times
            }
        }
        pipeline.receive(result, times, of: self)
        for follower in followers {
            follower.leader = nil
            follower.pipeline.receive(result, times, of: follower)
        }
        if case .finished = result { signposts?.end(.committing, of: id) }
    }

    /// The outcome is reported: releases the program's closures, here on the main actor. (It may still be
    /// drawn for others.) What goes with them may call layers, so they go when the draw has others.
    func releaseTask() {
        var former = (task: BaseTask(tier: tier), parts: [ComposedPart]())
        swap(&task, &former.task)
        swap(&parts, &former.parts)
        extendLifetime(former)
    }

    /// It is no longer drawn, and no draw can follow it. What the work captured may call layers, so it goes
    /// last.
    private func end() {
        let former = work.take()
        defer { extendLifetime(former) }
        followers = []
        if let key { pipeline.cache?.end(self, for: key) }
    }
}

/// The result of a drawing.
enum DrawResult: Sendable {
    /// There is a picture.
    case finished
    case stopped(DisplayStage)
    case failed(any Error)

    /// False when nothing was drawn, not even in part.
    var hasDrawn: Bool {
        if case .stopped(.waiting) = self { false } else { true }
    }
}
