/// Swift's runtime, some of whose properties the package uses though they are not promised: closures' blocks
/// that are kept, and references that are counted by hand.
package enum SwiftRuntime {
    /// Whether it is that of a compiler with which the gate has tried these: Swift 6.2 and 6.3. A newer one
    /// gets the ordinary way, which costs more; when the gate has passed with it, its number goes here. The
    /// manifest's `unknown-runtime` compiles the ordinary way with any.
    package static var isKnown: Bool {
        #if os(Linux) && compiler(<6.4) && !UNKNOWN_RUNTIME
            true
        #else
            false
        #endif
    }
}
