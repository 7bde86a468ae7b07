/// What a picture shows, by value: equal keys promise equal drawing at equal size, scale, opacity and
/// background, whether a draw closure or a ``Composition`` draws it.
public struct ContentKey: Hashable, Sendable {
    @usableFromInline let value: AnyKeyBox

    /// Makes a key of any value; values of different types are different keys.
    @inlinable
    public init<Value: Hashable & Sendable>(_ value: Value) {
        self.value = KeyBox(value)
    }

    /// False for a value with NaN in it, which nothing finds again.
    var equalsItself: Bool { value.isEqual(to: value) }

    /// Whether two keys are of equal values of the same type.
    public static func == (left: ContentKey, right: ContentKey) -> Bool {
        left.value === right.value || left.value.isEqual(to: right.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

/// A value without its type. Not an `AnyHashable`: it is larger, and copying an optional one looks up how,
/// for each copy of a task.
@usableFromInline
class AnyKeyBox: @unchecked Sendable {  // nothing in it changes
    @usableFromInline
    init() {}

    @usableFromInline
    func isEqual(to other: AnyKeyBox) -> Bool { fatalError("abstract") }

    @usableFromInline
    func hash(into hasher: inout Hasher) { fatalError("abstract") }
}

@usableFromInline
final class KeyBox<Value: Hashable & Sendable>: AnyKeyBox, @unchecked Sendable {
    private let value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }

    override func isEqual(to other: AnyKeyBox) -> Bool {
        guard let other = other as? Self else { return false }
        return value == other.value
    }

    override func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Everything that a finished picture depends on.
final class PictureKey: Hashable, Sendable {
    struct Parts: Equatable, Sendable {
        let content: ContentKey
        let size: Size
        let description: ContextDescription
        let background: Background
    }

    private let parts: Parts
    private let hash: Int

    init(_ parts: Parts) {
        self.parts = parts
        // The description follows from these.
        var hasher = Hasher()
        hasher.combine(parts.content)
        hasher.combine(parts.size)
        hasher.combine(parts.description.scale)
        hasher.combine(parts.background)
        hash = hasher.finalize()
    }

    static func == (left: PictureKey, right: PictureKey) -> Bool {
        left === right || left.hash == right.hash && left.parts == right.parts
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
