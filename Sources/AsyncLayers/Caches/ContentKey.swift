/// What a picture shows, by value: equal keys promise equal drawing at equal size, scale, opacity and
/// background.
public struct ContentKey: Hashable, @unchecked Sendable {  // made of a Sendable value only
    private let value: AnyHashable

    /// Makes a key of any value; values of different types are different keys.
    public init(_ value: some Hashable & Sendable) {
        self.value = AnyHashable(value)
    }
}

/// Everything that a finished picture depends on.
final class RasterKey: Hashable, Sendable {
    private let content: ContentKey
    private let size: Size
    private let description: ContextDescription
    private let background: Color?
    private let hash: Int

    init(_ content: ContentKey, size: Size, description: ContextDescription, background: Color?) {
        self.content = content
        self.size = size
        self.description = description
        // What is not opaque is not filled.
        self.background = description.isOpaque ? background : nil
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(size)
        hasher.combine(description)
        hasher.combine(self.background)
        hash = hasher.finalize()
    }

    static func == (left: RasterKey, right: RasterKey) -> Bool {
        left === right
            || left.hash == right.hash && left.content == right.content && left.size == right.size
                && left.description == right.description && left.background == right.background
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
