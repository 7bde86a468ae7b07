/// How a call proceeds if as many jobs wait as the tier's ``QueuePoolOptions/capacity`` allows.
public struct FullTierPolicy: Equatable, Sendable, CustomStringConvertible {
    /// How many calls may wait for room; nil for any number.
    let limit: Int?

    /// The call throws ``PoolError`` (`.full`).
    public static let `throw` = FullTierPolicy(limit: 0)

    /// The call waits for room. Calls are placed in the order in which they came.
    public static let wait = FullTierPolicy(limit: nil)

    /// The call waits for room, unless so many of the tier do already: then it throws ``PoolError``
    /// (`.full`).
    ///
    /// - Parameter count: zero or more, otherwise the call throws ``PoolError`` (`.invalidCapacity`).
    public static func wait(atMost count: Int) -> FullTierPolicy { FullTierPolicy(limit: count) }

    /// A text for people, for example "wait at most 5"; its form may change.
    public var description: String {
        switch limit {
        case nil: "wait"
        case 0: "throw"
        case let limit?: "wait at most \(limit)"
        }
    }

    func validate() throws(PoolError) {
        guard let limit, limit < 0 else { return }
        throw PoolError(.invalidCapacity, "zero or more calls can wait for room; \(limit) was asked for")
    }
}
