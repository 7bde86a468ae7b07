#if !Cairo
    // Without its trait the module declares its public types as unavailable, so that the compiler names the
    // missing trait and does not say "cannot find 'CairoRenderer' in scope". `.ci/missing-trait` compares the
    // names with those of the real types, and compiles uses of them.
    //
    // The compiler reports an unavailable type only in an expression that has no other error. So the
    // initializers and cases are those of the real types, and every other member is a value that has all
    // members and takes all arguments.

    public import AsyncLayers
    public import QueuePools

    /// What a member of an unavailable type stands for.
    @dynamicCallable
    @dynamicMemberLookup
    public struct MissingTrait: Sendable {
        /// Any member.
        public subscript(dynamicMember name: String) -> MissingTrait { self }
        /// Any member, of the type that is expected.
        public subscript<Value>(dynamicMember name: String) -> Value { fatalError() }
        /// Any call.
        public func dynamicallyCall(
            withKeywordArguments arguments: KeyValuePairs<String, Any>
        ) -> MissingTrait { self }
    }

    /// Gives an unavailable type every member.
    @dynamicMemberLookup
    public protocol MissingMembers {}

    extension MissingMembers {
        /// Any member of a value.
        public subscript(dynamicMember name: String) -> MissingTrait { MissingTrait() }
        /// Any member of a value, of the type that is expected.
        public subscript<Value>(dynamicMember name: String) -> Value { fatalError() }
        /// Any member of the type.
        public static subscript(dynamicMember name: String) -> MissingTrait { MissingTrait() }
        /// Any member of the type, of the type that is expected.
        public static subscript<Value>(dynamicMember name: String) -> Value { fatalError() }
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct CairoRenderer: Renderer, MissingMembers {
        /// Needs the trait.
        public init() {}
        /// Needs the trait.
        public func byteCount(of description: ContextDescription) -> Int { 0 }
        /// Needs the trait.
        public func makeContext(_ description: ContextDescription) throws -> CairoContext {
            try CairoContext(description)
        }
        /// Needs the trait.
        public func fill(_ context: CairoContext, with color: Color) {}
        /// Needs the trait.
        public func makeContents(from context: CairoContext) throws -> CairoImage { CairoImage() }
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public final class CairoContext: MissingMembers {
        /// Needs the trait.
        public init(_ description: ContextDescription) throws(CairoError) {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public final class CairoImage: Sendable, MissingMembers {
        /// Needs the trait.
        public typealias Fitting = MissingTrait
        init() {}
        /// Needs the trait.
        public convenience init(
            pixelWidth: Int, pixelHeight: Int, scale: Double = 1, isOpaque: Bool = false,
            writingPixelsWith body: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws ->
                Void
        ) throws { self.init() }
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct CairoError: Error, Hashable, MissingMembers {}

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public enum ImageError: Error, Hashable, MissingMembers {
        /// Needs the trait.
        case unknownFormat
        /// Needs the trait.
        case damaged(String)
        /// Needs the trait.
        case tooLarge(pixelWidth: Int, pixelHeight: Int)
        /// Needs the trait.
        case outOfMemory
        /// Needs the trait.
        case unreadable(path: String, errno: Int32)
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct ImageDecoder: Sendable, MissingMembers {
        /// Needs the trait.
        public init() {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public final class ImageCache: Sendable, MissingMembers {
        /// Needs the trait.
        public init(byteLimit: Int = 64 << 20, pool: any JobSubmitting = DefaultQueuePool.shared) {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct RichText: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        public typealias Run = MissingTrait
        /// Needs the trait.
        public init(_ text: String = "", style: TextStyle = TextStyle()) {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public enum TextMark: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        case link(String)
        /// Needs the trait.
        case mention(String)
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextStyle: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        public struct Weight: RawRepresentable, Hashable, Sendable {
            /// Needs the trait.
            public var rawValue: Int
            /// Needs the trait.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// Needs the trait.
            public static var light: Weight { Weight(rawValue: 300) }
            /// Needs the trait.
            public static var regular: Weight { Weight(rawValue: 400) }
            /// Needs the trait.
            public static var medium: Weight { Weight(rawValue: 500) }
            /// Needs the trait.
            public static var semibold: Weight { Weight(rawValue: 600) }
            /// Needs the trait.
            public static var bold: Weight { Weight(rawValue: 700) }
        }
        /// Needs the trait.
        public init(
            family: String = "sans-serif", size: Double = 15, weight: Weight = .regular, color: Color = .black
        ) {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextLayoutOptions: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        public typealias Wrapping = MissingTrait
        /// Needs the trait.
        public typealias Truncation = MissingTrait
        /// Needs the trait.
        public typealias Alignment = MissingTrait
        /// Needs the trait.
        public typealias Direction = MissingTrait
        /// Needs the trait.
        public init() {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextLayoutBounds: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        public init() {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextLayoutError: Error, Hashable, MissingMembers {
        /// Needs the trait.
        public typealias Code = MissingTrait
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public final class TextLayout: Sendable, MissingMembers {
        /// Needs the trait.
        public typealias MarkedRange = MissingTrait
        /// Needs the trait.
        public init(
            _ text: RichText, width: Double = .infinity, options: TextLayoutOptions = TextLayoutOptions(),
            isCancelled: () -> Bool = { false }
        ) throws {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextContent: Hashable, Sendable, MissingMembers {
        /// Needs the trait.
        public init(text: RichText, options: TextLayoutOptions = TextLayoutOptions()) {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    @MainActor
    public final class TextLabel: MissingMembers {
        /// Needs the trait.
        public init(
            _ text: RichText = RichText(), options: TextLayoutOptions = TextLayoutOptions(),
            host: DisplayHost = .main, layouts: LayoutCache<TextContent, TextLayout>? = nil
        ) {}
    }
#endif
