public import Dispatch

/// The five tiers of a pool, from least to most urgent; each has its own queues.
///
/// The names are those of Dispatch's quality-of-service classes. A tier's effect on a thread's priority
/// depends on the kind of queue and on the system; `Docs/Platforms.md` has the figures.
public enum QoSTier: Int, CaseIterable, Comparable, Hashable, Codable, CodingKeyRepresentable,
    CustomStringConvertible, Sendable
{
    /// Work that no caller waits for: disposal, prefetching far ahead.
    case background
    /// Work that a user knows about and does not wait for.
    case utility
    /// Work of no stated urgency.
    case `default`
    /// Work that a user asked for and waits for: the pictures on screen. Layers draw here.
    case userInitiated
    /// Work that must be done before the next frame.
    case userInteractive

    /// The tier of the pool's job that the calling thread runs; nil elsewhere, and on queues without a pool.
    /// Within a `sync` on a pool's queue, the tier of that queue.
    public static var current: QoSTier? { RunFrame.current?.tier }

    /// That of the calling job, or else of the calling task; `.default` on a thread that runs neither.
    @usableFromInline
    static var ofCaller: QoSTier {
        // Not `Task.currentPriority`, which is the lowest on a thread without a task.
        current ?? withUnsafeCurrentTask { $0.map { QoSTier(priority: $0.priority) } } ?? .default
    }

    /// The tier of a Dispatch class; `.unspecified` (and any class added later) is ``default``.
    public init(_ qosClass: DispatchQoS.QoSClass) {
        self = Self.allCases.first { $0.dispatchQoS.qosClass == qosClass } ?? .default
    }

    /// The tier of a task's priority: the highest whose own priority is not above it.
    public init(priority: TaskPriority) {
        switch priority.rawValue {
        case 33...: self = .userInteractive
        case TaskPriority.userInitiated.rawValue...: self = .userInitiated
        case TaskPriority.medium.rawValue...: self = .default
        case TaskPriority.utility.rawValue...: self = .utility
        default: self = .background
        }
    }

    /// The Dispatch class of the same name.
    public var dispatchQoS: DispatchQoS {
        switch self {
        case .background: .background
        case .utility: .utility
        case .default: .default
        case .userInitiated: .userInitiated
        case .userInteractive: .userInteractive
        }
    }

    /// The tier's part of a queue's label: `<pool label>.<tier>.<index>`.
    public var name: String {
        switch self {
        case .background: "background"
        case .utility: "utility"
        case .default: "default"
        case .userInitiated: "userInitiated"
        case .userInteractive: "userInteractive"
        }
    }

    /// The ``name``.
    public var description: String { name }

    func queueLabel(in pool: String, _ index: Int) -> String { "\(pool).\(name).\(index)" }

    /// Its ``name``, as a key of an encoded dictionary.
    public var codingKey: any CodingKey { NameKey(stringValue: name) }

    /// The tier with a name.
    public init?(codingKey: some CodingKey) {
        guard let tier = Self.allCases.first(where: { $0.name == codingKey.stringValue }) else { return nil }
        self = tier
    }

    private struct NameKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Encodes the ``name``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Decodes a ``name``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let tier = Self.allCases.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(name)\" is no tier of a pool")
        }
        self = tier
    }

    /// Less urgent tiers order before more urgent ones.
    public static func < (a: QoSTier, b: QoSTier) -> Bool { a.rawValue < b.rawValue }
}
