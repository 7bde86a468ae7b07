/// How a call proceeds if as many jobs wait as the tier's ``QueuePoolConfiguration/capacity`` allows.
public struct FullTierPolicy: Hashable, Sendable, CustomStringConvertible {
    /// How many calls may be suspended; nil for any number.
    let limit: Int?

    /// The call throws ``PoolError`` (`.full`).
    public static let `throw` = FullTierPolicy(limit: 0)

    /// The call is suspended until there is room. Calls are placed in the order in which they came.
    public static let suspend = FullTierPolicy(limit: nil)

    /// The call is suspended, unless so many of the tier are already: then it throws ``PoolError`` (`.full`).
    ///
    /// - Parameter count: zero or more, otherwise the call throws ``PoolError`` (`.invalidCapacity`).
    public static func suspend(atMost count: Int) -> FullTierPolicy { FullTierPolicy(limit: count) }

    /// A text for people, for example "suspend at most 5"; its form may change.
    public var description: String {
        switch limit {
        case nil: "suspend"
        case 0: "throw"
        case let limit?: "suspend at most \(limit)"
        }
    }

    func validate() throws(PoolError) {
        guard let limit, limit < 0 else { return }
        throw PoolError(.invalidCapacity, "zero or more calls can be suspended; \(limit) was asked for")
    }
}
