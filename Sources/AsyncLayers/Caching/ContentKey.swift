/// What a picture shows, by value: equal keys promise equal drawing at equal size, scale, opacity and
/// background.
public struct ContentKey: Hashable, Sendable {
    @usableFromInline let value: AnyKeyBox

    /// Makes a key of any value; values of different types are different keys.
    @inlinable
    public init<Value: Hashable & Sendable>(_ value: Value) {
        self.value = KeyBox(value)
    }

    /// False for a value with NaN in it: nothing ever finds it again.
    var equalsItself: Bool { value.isEqual(to: value) }

    /// Whether two keys are of equal values of the same type.
    public static func == (left: ContentKey, right: ContentKey) -> Bool {
        left.value === right.value || left.value.isEqual(to: right.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

/// A value whose type is not known outside. (An `AnyHashable` would do, but for its size: a task has one or none,
/// is copied a few times, and each copy of an `AnyHashable` that may be there looks up how.)
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
    private let content: ContentKey
    private let size: Size
    private let description: ContextDescription
    private let background: Color?
    private let isComposed: Bool
    private let tileByteLimit: Int?
    private let hash: Int

    /// - Parameters:
    ///   - isComposed: whether the picture shows all layers below too.
    ///   - tileByteLimit: the most bytes of a tile, where the layer looks for tiles; else nil.
    init(
        _ content: ContentKey, size: Size, description: ContextDescription, background: Color?,
        isComposed: Bool, tileByteLimit: Int?
    ) {
        self.content = content
        self.size = size
        self.description = description
        // What is not opaque is not filled.
        self.background = description.isOpaque ? background : nil
        self.isComposed = isComposed
        self.tileByteLimit = tileByteLimit
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(size)
        hasher.combine(description)
        hasher.combine(self.background)
        hasher.combine(isComposed)
        hasher.combine(tileByteLimit)
        hash = hasher.finalize()
    }

    static func == (left: PictureKey, right: PictureKey) -> Bool {
        left === right
            || left.hash == right.hash && left.content == right.content && left.size == right.size
                && left.description == right.description && left.background == right.background
                && left.isComposed == right.isComposed && left.tileByteLimit == right.tileByteLimit
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
