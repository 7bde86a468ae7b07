#if !Cairo
    // Without its trait the module has only the names that programs begin with, unavailable, so that the
    // compiler names the trait. The gate's step `traits-off` checks that it does.

    public import AsyncLayers

    /// Needs the trait `Cairo`. A renderer, because the compiler reports an unavailable type only in an
    /// expression that has no other error.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct CairoRenderer: Renderer {
        /// Needs the trait.
        public init() {}
        /// Needs the trait.
        public func byteCount(of description: ContextDescription) -> Int { 0 }
        /// Needs the trait.
        public func makeContext(_ description: ContextDescription) -> Int { 0 }
        /// Needs the trait.
        public func fill(_ context: Int, with color: Color) {}
        /// Needs the trait.
        public func makeContents(from context: Int) -> Int { 0 }
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct ImageDecoder {
        /// Needs the trait.
        public init() {}
    }

    /// Needs the trait `Cairo`.
    @available(*, unavailable, message: "needs the trait Cairo: .package(…, traits: [.defaults, \"Cairo\"])")
    public struct TextLabel {
        /// Needs the trait.
        public init() {}
    }
#endif
