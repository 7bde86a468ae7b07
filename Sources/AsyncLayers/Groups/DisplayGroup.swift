import QueuePoolsTransactions

/// Layers, of any renderers, whose new pictures appear in one step; also tiled layers (`TiledLayers`).
///
///     let group = DisplayGroup(timeLimit: .milliseconds(50))
///     group.add(title)
///     group.add(avatar)
///     let result = await group.display()
///
/// Each layer's pass is drawn as usual; its picture then waits for those of all others, or for the time
/// limit. Late pictures appear as soon as they are ready. The idea is that of Texture's transaction
/// containers. *Main-actor isolated.*
@MainActor
public final class DisplayGroup {
    /// How long finished pictures wait for the others, from when the display begins: in the call of
    /// ``display(onEnd:)``, or when a former display has appeared.
    public let timeLimit: Duration

    private let host: DisplayHost
    private struct Member {
        weak var layer: (any GroupedLayer)?
    }

    private var members: [Member] = []
    /// The index of each in ``members``; may contain layers that are gone.
    private var indices: [ObjectIdentifier: Int] = [:]
    private var prunedCount = 0

    /// Makes an empty group.
    ///
    /// - Parameters:
    ///   - timeLimit: how long finished pictures wait for the others. Zero or less: not at all. Default: 100
    ///     ms.
    ///   - host: its clock measures the time, and the time limits of its layers are waited for together.
    public init(timeLimit: Duration = .milliseconds(100), host: DisplayHost = .main) {
        self.timeLimit = timeLimit
        self.host = host
    }

    /// Adds a layer, once. Does not retain it. O(1), amortized.
    public func add<R>(_ layer: AsyncLayer<R>) { add(layer.pipeline) }

    /// Removes a layer, if it is in the group. A display that has begun keeps it. O(1).
    public func remove<R>(_ layer: AsyncLayer<R>) { remove(layer.pipeline) }

    package func add(_ layer: any GroupedLayer) {
        let id = ObjectIdentifier(layer)
        if let index = indices[id], members[index].layer != nil { return }
        indices[id] = members.count
        members.append(Member(layer: layer))
        if members.count >= 2 * (prunedCount + 8) { prune() }
    }

    package func remove(_ layer: any GroupedLayer) {
        if let index = indices.removeValue(forKey: ObjectIdentifier(layer)) { members[index].layer = nil }
    }

    /// Drops members that were removed or deinitialized, and returns the others, in the group's order.
    @discardableResult
    func prune() -> [any GroupedLayer] {
        let layers = members.compactMap(\.layer)
        (members, indices) = (layers.map { Member(layer: $0) }, [:])
        for (index, layer) in layers.enumerated() { indices[ObjectIdentifier(layer)] = index }
        prunedCount = members.count
        return layers
    }

    // Without a default for the closure: at the top level of `main.swift` the compiler would take this method
    // for `await display()`, too (decision 12).

    /// Begins to display all layers of the group, and returns. Asynchronous code can await ``display()``
    /// instead.
    ///
    ///     group.display { result in print(result.late, "came later") }
    ///     group.display { _ in }
    ///
    /// A layer that is displayed again meanwhile appears with the group, with its newer picture. If the
    /// group, or another one with some of its layers, still waits, and nothing of that is being drawn, both
    /// appear together, when the time limits of both calls have passed at the latest, and not later than four
    /// limits after the first call. If it is being drawn, this display begins when that has appeared, with
    /// all others that have been requested until then.
    ///
    /// - Parameter onEnd: called once, on the main actor, when each layer shows its picture or will show
    ///   none.
    public func display(onEnd: @escaping @MainActor (DisplayGroupResult) -> Void) {
        display(isAwaited: false, onEnd: onEnd)
    }

    /// Displays all layers of the group, and returns when each shows its picture or will show none. Passes
    /// that wait are raised to the tier userInitiated. Cancelling the task has no effect.
    @discardableResult
    public func display() async -> DisplayGroupResult {
        await withCheckedContinuation { continuation in
            display(isAwaited: true) { continuation.resume(returning: $0) }
        }
    }

    private func display(isAwaited: Bool, onEnd: @escaping @MainActor (DisplayGroupResult) -> Void) {
        let layers = prune()
        let request = GroupRequest(layerCount: layers.count, isAwaited: isAwaited, onEnd: onEnd)
        GroupDisplay.begin(
            layers, for: request, timeLimit: min(max(.zero, timeLimit), .seconds(1 << 30)),
            on: host)
    }

    /// Suspends all layers of the group (``AsyncLayer/suspend()``); those that are added later are not. O(n).
    /// Tiled layers take no damage until a group resumes them.
    public func suspend() {
        let layers = prune()
        host.enter { GroupDisplay.suspend(layers) }
    }

    /// Ends the suspension of all layers of the group (``AsyncLayer/resume()``). O(n).
    public func resume() {
        let layers = prune()
        host.enter { for layer in layers { layer.resume() } }
    }
}

/// The outcome of a group's display.
public struct DisplayGroupResult: Equatable, Sendable, CustomStringConvertible {
    /// Layers that appeared in one step.
    public var together = 0
    /// Layers whose picture came after the time limit.
    public var late = 0
    /// Layers whose pass failed.
    public var failed = 0
    /// Layers whose pass was cancelled, or that were suspended or deinitialized meanwhile.
    public var cancelled = 0

    /// Such as "together 3, late 1, failed 0, cancelled 0".
    public var description: String {
        "together \(together), late \(late), failed \(failed), cancelled \(cancelled)"
    }
}
