import Transactions

/// Layers, of any renderers, whose new pictures appear in one step.
///
///     let group = DisplayGroup(timeLimit: .milliseconds(50))
///     group.add(title)
///     group.add(avatar)
///     let result = await group.display()
///
/// Each layer's pass is drawn as ever; its picture then waits until those of all others are there, or the
/// time limit has passed. What is late then appears as soon as it is there. The idea is that of Texture's
/// transaction containers. *Main-actor isolated.*
@MainActor
public final class DisplayGroup {
    /// How long finished pictures wait for the others, from the call of ``display(whenDone:)`` on.
    public let timeLimit: Duration

    private let host: DisplayHost
    private struct Member {
        weak var pipeline: DisplayPipeline?
    }

    private var members: [Member] = []
    /// Where each is in ``members``; also of some that are gone.
    private var indices: [ObjectIdentifier: Int] = [:]
    private var prunedCount = 0

    /// Makes an empty group.
    ///
    /// - Parameters:
    ///   - timeLimit: how long finished pictures wait for the others; zero or less: not at all. Default: 100
    ///     ms.
    ///   - host: whose clock counts, and whose layers' deadlines are waited for together.
    public init(timeLimit: Duration = .milliseconds(100), host: DisplayHost = .main) {
        self.timeLimit = timeLimit
        self.host = host
    }

    /// A group of a layer and all layers below it; those that are drawn into the picture of one above them
    /// count with that one.
    public convenience init<R>(
        subtree layer: AsyncLayer<R>, timeLimit: Duration = .milliseconds(100), host: DisplayHost = .main
    ) {
        self.init(timeLimit: timeLimit, host: host)
        add(subtree: layer)
    }

    /// Adds a layer, once. Does not keep it alive. O(1), amortized.
    public func add<R>(_ layer: AsyncLayer<R>) { add(layer.pipeline) }

    private func add(_ pipeline: DisplayPipeline) {
        let id = ObjectIdentifier(pipeline)
        if let index = indices[id], members[index].pipeline != nil { return }
        indices[id] = members.count
        members.append(Member(pipeline: pipeline))
        if members.count >= 2 * (prunedCount + 8) { prune() }
    }

    /// Removes a layer; does nothing if it is not in the group. A display that has begun keeps it. O(1).
    public func remove<R>(_ layer: AsyncLayer<R>) {
        if let index = indices.removeValue(forKey: ObjectIdentifier(layer.pipeline)) {
            members[index].pipeline = nil
        }
    }

    /// Forgets what is removed or gone.
    private func prune() {
        let pipelines = members.compactMap(\.pipeline)
        (members, indices) = (pipelines.map { Member(pipeline: $0) }, [:])
        for (index, pipeline) in pipelines.enumerated() { indices[ObjectIdentifier(pipeline)] = index }
        prunedCount = members.count
    }

    /// The layers of the group, in its order.
    var pipelines: [DisplayPipeline] {
        prune()
        return members.compactMap(\.pipeline)
    }

    /// Adds a layer, then each below it before its next neighbour. A list and not the stack leads back, so that a
    /// deep tree overflows nothing.
    private func add<R>(subtree layer: AsyncLayer<R>) {
        var waiting = [layer]
        while let layer = waiting.popLast() {
            add(layer)
            if layer.composer == nil { waiting += layer.sublayers.reversed() }
        }
    }

    // The closure has no default: at the top level of `main.swift` the compiler would take this method for
    // `await display()`, too (decision 12).

    /// Begins to display all layers of the group, and returns. Asynchronous code can await the end with
    /// ``display()`` instead.
    ///
    ///     group.display { result in print(result.late, "came later") }
    ///     group.display { _ in }
    ///
    /// A layer that is displayed again meanwhile appears with the group, with its newer picture. A layer that
    /// is in a group that has not appeared yet leaves that one.
    ///
    /// - Parameter whenDone: called once, on the main actor, when each layer shows its picture, also those that
    ///   were late, or will show none.
    public func display(whenDone: @escaping @MainActor (DisplayGroupResult) -> Void) {
        display(isAwaited: false, whenDone: whenDone)
    }

    /// Displays all layers of the group, and returns when each shows its picture, also those that were late, or
    /// will show none. Passes that wait are raised to the tier userInitiated. Cancelling the surrounding task
    /// changes nothing.
    @discardableResult
    public func display() async -> DisplayGroupResult {
        await withCheckedContinuation { continuation in
            display(isAwaited: true) { continuation.resume(returning: $0) }
        }
    }

    private func display(isAwaited: Bool, whenDone: @escaping @MainActor (DisplayGroupResult) -> Void) {
        let appearance = host.loop.now + min(timeLimit, .seconds(1 << 30))
        let display = GroupDisplay(isAwaited: isAwaited, whenDone: whenDone)
        // All begin before the main thread waits for any.
        host.transactions.together { display.begin(pipelines) }
        if timeLimit <= .zero {
            display.appear()
        } else if display.isOpen {
            host.loop.perform(at: appearance) { [weak display] in display?.appear() }
        }
    }
}

/// What became of the passes of a group.
public struct DisplayGroupResult: Hashable, Sendable {
    /// Layers that appeared in one step.
    public var together = 0
    /// Layers whose picture came after the time limit, and appeared when it came.
    public var late = 0
    /// Layers whose pass failed.
    public var failed = 0
    /// Layers whose pass was cancelled, that are suspended or have gone meanwhile, that another group has taken, or that have
    /// become a part of another one's picture.
    public var cancelled = 0
}
