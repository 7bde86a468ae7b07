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

/// Everything that a finished picture depends on; its context's description follows from these.
final class PictureKey: Hashable, Sendable {
    private let content: ContentKey
    private let size: Size
    private let scale: Double
    private let background: Background
    private let hash: Int

    /// Nil if the content or the background has NaN in it: nothing would find the picture again.
    init?(_ content: ContentKey, size: Size, scale: Double, background: Background) {
        guard content.equalsItself, background == background else { return nil }
        (self.content, self.size, self.scale, self.background) = (content, size, scale, background)
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(size)
        hasher.combine(scale)
        hasher.combine(background)
        hash = hasher.finalize()
    }

    static func == (left: PictureKey, right: PictureKey) -> Bool {
        left === right
            || left.hash == right.hash && left.size == right.size && left.scale == right.scale
                && left.background == right.background && left.content == right.content
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
